//! Nodes that declare, change and collect resources.

use super::{Expr, Ident};
use bunraku_diagnostic::Span;

/// Whether a resource is realized.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ResourceForm {
    /// `file { … }`
    Regular,
    /// `@file { … }`
    Virtual,
    /// `@@file { … }`
    Exported,
}

impl ResourceForm {
    /// The reference's word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            ResourceForm::Regular => "regular",
            ResourceForm::Virtual => "virtual",
            ResourceForm::Exported => "exported",
        }
    }
}

/// `type { title: …; title: … }`
#[derive(Debug, Clone)]
pub struct Resource {
    /// Whether it is realized.
    pub form: ResourceForm,
    /// Normally a [`Name`](super::ExprKind::Name); any expression is evaluated to the resource type.
    pub type_name: Expr,
    /// The resources, at least one.
    pub bodies: Box<[ResourceBody]>,
}

/// `title: attribute => value, …`
#[derive(Debug, Clone)]
pub struct ResourceBody {
    /// The title, an array of them, or `default`.
    pub title: Expr,
    /// The attributes.
    pub operations: Box<[AttributeOperation]>,
    /// From the title to the last attribute or its comma.
    pub span: Span,
}

/// `Type { attribute => value, … }`
#[derive(Debug, Clone)]
pub struct ResourceDefaults {
    /// Validation refuses all but the regular form.
    pub form: ResourceForm,
    /// The resource type.
    pub type_name: Expr,
    /// The attributes.
    pub operations: Box<[AttributeOperation]>,
}

/// `Type['title'] { attribute => value, … }`
#[derive(Debug, Clone)]
pub struct ResourceOverride {
    /// Validation refuses all but the regular form.
    pub form: ResourceForm,
    /// The references.
    pub resources: Expr,
    /// The attributes.
    pub operations: Box<[AttributeOperation]>,
}

/// How an attribute gets its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AttributeOperator {
    /// `=>`
    Set,
    /// `+>`
    Append,
}

impl AttributeOperator {
    /// The operator as it is written.
    pub fn as_str(self) -> &'static str {
        match self {
            AttributeOperator::Set => "=>",
            AttributeOperator::Append => "+>",
        }
    }
}

/// One line of a resource body.
#[derive(Debug, Clone)]
pub enum AttributeOperation {
    /// `name => value` or `name +> value`
    Attribute {
        /// The attribute.
        name: Ident,
        /// The arrow.
        operator: AttributeOperator,
        /// The value.
        value: Expr,
        /// From the name to the end of the value.
        span: Span,
    },
    /// `* => hash`
    Unfold {
        /// The hash of attributes.
        value: Expr,
        /// From the star to the end of the value.
        span: Span,
    },
}

impl AttributeOperation {
    /// The right side of the arrow.
    pub fn value(&self) -> &Expr {
        match self {
            AttributeOperation::Attribute { value, .. } | AttributeOperation::Unfold { value, .. } => value,
        }
    }

    /// The whole operation.
    pub fn span(&self) -> Span {
        match self {
            AttributeOperation::Attribute { span, .. } | AttributeOperation::Unfold { span, .. } => *span,
        }
    }
}

/// `Type <| query |> { attribute => value, … }`
#[derive(Debug, Clone)]
pub struct Collector {
    /// The resource type.
    pub type_name: Expr,
    /// Which resources are collected.
    pub query: Query,
    /// Attributes to override on the collected resources.
    pub operations: Box<[AttributeOperation]>,
}

/// What stands between the bars of a collector.
#[derive(Debug, Clone)]
pub struct Query {
    /// `<<| |>>` rather than `<| |>`.
    pub exported: bool,
    /// The condition; none collects all.
    pub condition: Option<Expr>,
    /// The bars and all between them.
    pub span: Span,
}
