//! How a native function is declared: a name, its manual page, and for each Puppet signature a body in Rust.

use crate::function::Call;
use crate::unwind::Outcome;

/// A native function, made by [`function!`](crate::function!) as a constant.
#[derive(Debug)]
pub struct Function {
    /// Its name in the language.
    pub name: &'static str,
    /// The module it belongs to; it is only visible where that module is installed. `None` for the language's own.
    pub module: Option<&'static str>,
    /// Its manual page.
    pub documentation: &'static str,
    /// The aliases of data types that its signatures use: `Name = Type`.
    pub aliases: &'static [&'static str],
    /// The ways it can be called; the first that accepts the arguments is taken.
    pub dispatches: &'static [Dispatch],
}

/// One way to call a native function.
#[derive(Debug)]
pub struct Dispatch {
    /// The header a function written in Puppet would have, or `arity N` for a 3.x function.
    /// See [`Role`](crate::function::Role) for what may stand before it.
    pub signature: &'static str,
    /// What it takes and gives, where the signature does not say it: `(Integer $count) >> String`, or `>> String` alone. The
    /// reference's own headers do not have it, so calls are not checked by it; a checker, an editor and the manual use it.
    pub shape: Option<&'static str>,
    /// What it does.
    pub body: Body,
}

/// The Rust side of a dispatch.
pub type Body = fn(&mut Call<'_, '_>) -> Outcome;

/// Declares a native function as a constant `FUNCTION`, or under a name of its own if one stands before the text.
///
/// ```text
/// function! {
///     /// Splits a string into an array of strings.
///     "split" {
///         "(String $str, String $pattern) >> Array[String]" => by_text(str, pattern),
///         "(String $str, Regexp $pattern) >> Array[String]" => by_regexp(str, pattern),
///     }
/// }
/// ```
///
/// A signature is the header of a function in Puppet: `$name = undef` marks an optional parameter, `*$name` any number,
/// `+$name` at least one, `&$name` the block. What the reference's header leaves open is declared behind it:
/// `"arity 1" as "(String $text) >> String"`, `"(String $text)" as ">> Integer"`. Aliases that the signatures use follow the name: `where "Name = Type"`. In the arguments of a body `call` stands for the call itself and `*name` for
/// all that are left.
#[macro_export]
macro_rules! function {
    ($(#[doc = $documentation:literal])* $name:literal $(of $module:literal)? $(where $alias:literal)* { $($dispatches:tt)* }) => {
        $crate::function! { $(#[doc = $documentation])* FUNCTION: $name $(of $module)? $(where $alias)* { $($dispatches)* } }
    };
    ($(#[doc = $documentation:literal])* $constant:ident: $name:literal $(of $module:literal)? $(where $alias:literal)* {
        $($signature:literal $(as $shape:literal)? => $body:ident $arguments:tt),+ $(,)?
    }) => {
        #[doc = concat!("The function `", $name, "`.")]
        pub(crate) const $constant: $crate::function::Function = $crate::function::Function {
            name: $name,
            module: $crate::function!(@option $($module)?),
            documentation: concat!($($documentation, "\n",)*),
            aliases: &[$($alias),*],
            dispatches: &[$($crate::function::Dispatch {
                signature: $signature,
                shape: $crate::function!(@option $($shape)?),
                body: |call| $crate::function!(@body $body call $arguments),
            }),+],
        };
    };
    (@option) => { None };
    (@option $given:literal) => { Some($given) };
    (@body $body:ident $call:ident (call $(, $argument:ident)* $(, *$rest:ident)?)) => {{
        #[allow(unused_mut, unused_variables)]
        let mut arguments = $call.arguments();
        $(let $argument = arguments.next()?;)*
        $(let $rest = arguments.rest();)?
        $crate::function::IntoOutcome::into_outcome($body($call $(, $argument)* $(, $rest)?))
    }};
    (@body $body:ident $call:ident (*$rest:ident)) => {{
        $crate::function::IntoOutcome::into_outcome($body($call.arguments().rest()))
    }};
    (@body $body:ident $call:ident ($($argument:ident),* $(, *$rest:ident)?)) => {{
        #[allow(unused_mut, unused_variables)]
        let mut arguments = $call.arguments();
        $(let $argument = arguments.next()?;)*
        $(let $rest = arguments.rest();)?
        $crate::function::IntoOutcome::into_outcome($body($($argument),* $(, $rest)?))
    }};
}
