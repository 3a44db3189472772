//! `Struct`: a hash with a name and a type for each entry.

use std::fmt::{self, Write};

use ecow::EcoString;

use crate::data_type::{DataType, Type};
use crate::data_types::IntegerType;
use crate::guard::Guard;
use crate::text::{TypeWriter, quote};
use crate::value::Value;

/// `Struct[{name => type}]`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct StructType {
    /// The members in the order they were written.
    pub members: Vec<Member>,
}

/// A member of a `Struct`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Member {
    /// The key.
    pub name: EcoString,
    /// Whether the key may be missing.
    pub optional: bool,
    /// The type of the value.
    pub value: Type,
}

impl Member {
    /// The type of the key, as messages show it.
    pub(crate) fn key_type(&self) -> Type {
        let key = Type::string_value(self.name.clone());
        if self.optional { Type::optional(key) } else { key }
    }
}

impl StructType {
    /// The member with a name.
    pub fn member(&self, name: &str) -> Option<&Member> {
        self.members.iter().find(|member| member.name == name)
    }

    /// The member with a name and its position, which probably is this one.
    #[inline]
    pub fn member_near(&self, position: usize, name: &str) -> Option<(usize, &Member)> {
        match self.members.get(position) {
            Some(member) if member.name == name => Some((position, member)),
            _ => self.member_after(position, name),
        }
    }

    #[inline(never)] // It would make the common case slower.
    fn member_after(&self, position: usize, name: &str) -> Option<(usize, &Member)> {
        let has_name = |(_, member): &(usize, &Member)| member.name == name;
        let (before, after) = self.members.split_at_checked(position).unwrap_or((&self.members, &[]));
        (position..).zip(after).find(has_name).or_else(|| (0..).zip(before).find(has_name))
    }

    /// How many entries an instance may have.
    pub(crate) fn size_range(&self) -> IntegerType {
        let required = self.members.iter().filter(|member| !member.optional).count();
        IntegerType::sizes(required, self.members.len())
    }

    fn accepts_hash(&self, key: &Type, value: &Type, size: &IntegerType, guard: &mut Guard) -> bool {
        (self.members.iter().filter(|member| !member.optional))
            .all(|member| member.value.accepts(value, guard) && Type::string().accepts(key, guard))
            && self.size_range().covers(size)
    }
}

impl DataType for StructType {
    fn name(&self) -> &str {
        "Struct"
    }

    fn is_instance(&self, value: &Value) -> bool {
        let Value::Hash(hash) = value else { return false };
        let mut matched = 0;
        for (index, member) in self.members.iter().enumerate() {
            match hash.get_str_near(index, &member.name) {
                Some(value) if !member.value.is_instance(value) => return false,
                Some(_) => matched += 1,
                None if !member.optional => return false,
                None => {}
            }
        }
        matched == hash.len()
    }

    fn is_assignable(&self, other: &Type, guard: &mut Guard) -> bool {
        match other {
            Type::Struct(other) => {
                let mut matched = 0;
                for (index, member) in self.members.iter().enumerate() {
                    match other.member_near(index, &member.name) {
                        Some((_, other)) => {
                            if (other.optional && !member.optional) || !member.value.accepts(&other.value, guard) {
                                return false;
                            }
                            matched += 1;
                        }
                        None if !member.optional => return false,
                        None => {}
                    }
                }
                matched == other.members.len()
            }
            Type::Hash(other) => {
                self.accepts_hash(&other.key, &other.value, &other.size.unwrap_or(IntegerType::SIZE), guard)
            }
            _ => false,
        }
    }

    fn write(&self, writer: &mut TypeWriter<'_>) -> fmt::Result {
        if self.members.is_empty() {
            return writer.text("Struct");
        }
        writer.text("Struct[{")?;
        for (index, member) in self.members.iter().enumerate() {
            if index > 0 {
                writer.text(", ")?;
            }
            let name = quote(&member.name);
            // The key alone says what the value says: a value that may be `undef` may be missing.
            match (member.optional, member.value.accepts_undef()) {
                (true, false) => write!(writer, "Optional[{name}] => ")?,
                (false, true) => write!(writer, "NotUndef[{name}] => ")?,
                _ => write!(writer, "{name} => ")?,
            }
            writer.data_type(&member.value)?;
        }
        writer.text("}]")
    }
}
