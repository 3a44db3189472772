//! Symbols: names as numbers. They are the same for the whole process, as Ruby has them, so that a lowered file can be
//! run by any session.

use std::sync::{LazyLock, PoisonError, RwLock};

use rustc_hash::FxHashMap;

/// How many symbols a process may make; code that turns data into symbols must not fill the memory.
const MOST: usize = 4 << 20;

/// A symbol.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Sym(u32);

#[derive(Default)]
struct Table {
    names: boxcar::Vec<&'static str>,
    numbers: RwLock<FxHashMap<&'static str, u32>>,
}

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let table = Table::default();
    for name in WELL_KNOWN {
        table.add(name);
    }
    table
});

impl Table {
    fn add(&self, name: &'static str) -> u32 {
        let mut numbers = self.numbers.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(number) = numbers.get(name) {
            return *number;
        }
        let number = u32::try_from(self.names.push(name)).unwrap_or(u32::MAX);
        numbers.insert(name, number);
        number
    }
}

impl Sym {
    /// The symbol of a name.
    pub(crate) fn new(name: &str) -> Sym {
        let known = TABLE.numbers.read().unwrap_or_else(PoisonError::into_inner).get(name).copied();
        match known {
            Some(number) => Sym(number),
            // What is forgotten nowhere need not be freed.
            None => Sym(TABLE.add(Box::leak(name.to_owned().into_boxed_str()))),
        }
    }

    /// The symbol of a name that data gives; nothing if there are too many.
    pub(crate) fn of_data(name: &str) -> Option<Sym> {
        (TABLE.names.count() < MOST).then(|| Sym::new(name))
    }

    /// Its name.
    pub(crate) fn as_str(self) -> &'static str {
        TABLE.names.get(self.0 as usize).copied().unwrap_or_default()
    }
}

impl std::fmt::Debug for Sym {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.as_str())
    }
}

macro_rules! well_known {
    ($($constant:ident $name:literal,)*) => {
        const WELL_KNOWN: &[&str] = &[$($name),*];
        /// Names that the interpreter itself asks for.
        #[allow(non_camel_case_types, clippy::upper_case_acronyms, reason = "they number the names below")]
        enum Number { $($constant),* }
        /// Names that the interpreter itself asks for.
        pub(crate) mod sym {
            use super::{Number, Sym};
            $(pub(crate) const $constant: Sym = Sym(Number::$constant as u32);)*
        }
    };
}

well_known! {
    INITIALIZE "initialize", NEW "new", EACH "each", TO_S "to_s", TO_STR "to_str", TO_A "to_a", TO_ARY "to_ary",
    TO_HASH "to_hash", TO_H "to_h", TO_I "to_i", TO_INT "to_int", TO_SYM "to_sym", TO_PROC "to_proc",
    INSPECT "inspect", EQUAL "==", CASE_EQUAL "===", COMPARE "<=>", HASH "hash", CALL "call", MESSAGE "message",
    METHOD_MISSING "method_missing", RESPOND_TO_MISSING "respond_to_missing?", COERCE "coerce", SUCC "succ", PLUS "+",
    MINUS "-", TIMES "*", DIVIDE "/", MODULO "%", POWER "**", AT "[]", SET_AT "[]=", NOT "!", MATCH "=~",
    INHERITED "inherited", INCLUDED "included", EXTENDED "extended", PREPENDED "prepended",
    METHOD_ADDED "method_added", CONST_MISSING "const_missing", EXCEPTION "exception", INITIALIZE_COPY "initialize_copy",
    DECONSTRUCT "deconstruct", DECONSTRUCT_KEYS "deconstruct_keys", SIZE "size",
    HIDDEN_MESSAGE "__message", HIDDEN_BACKTRACE "__backtrace", HIDDEN_CAUSE "__cause", HIDDEN_NAME "__name",
    HIDDEN_RECEIVER "__receiver", HIDDEN_KEY "__key", HIDDEN_RESULT "__result", HIDDEN_STATUS "__status",
    HIDDEN_MEMBERS "__members", HIDDEN_LOCALS "__locals", HIDDEN_KEYWORD_INIT "__keyword_init", HIDDEN_ARGS "__args",
    LAST_ERROR "$!", MAIN "<main>",
}
