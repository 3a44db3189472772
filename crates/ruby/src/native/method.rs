//! The names of Ruby's methods that are known here. A template that uses another name is left to Ruby as a whole.

macro_rules! methods {
    ($($variant:ident = $name:literal,)*) => {
        /// A method by its name, whatever it is called on.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum Method { $($variant,)* }

        impl Method {
            /// The method of a name.
            pub(super) fn named(name: &str) -> Option<Method> {
                match name { $($name => Some(Method::$variant),)* _ => None }
            }
        }
    };
}

methods! {
    Add = "+", Subtract = "-", Multiply = "*", Divide = "/", Modulo = "%", Power = "**", Negate = "-@", Plus = "+@",
    And = "&", Or = "|", Xor = "^", ShiftLeft = "<<", ShiftRight = ">>", Not = "!",
    Equal = "==", NotEqual = "!=", CaseEqual = "===", Matches = "=~", MatchesNot = "!~", Compare = "<=>",
    Less = "<", LessOrEqual = "<=", Greater = ">", GreaterOrEqual = ">=",
    At = "[]", SetAt = "[]=",
    Abs = "abs", AllP = "all?", AnyP = "any?", Append = "append", Assoc = "assoc", AtIndex = "at",
    Begin = "begin", BetweenP = "between?", Capitalize = "capitalize", Captures = "captures", Casecmp = "casecmp",
    CasecmpP = "casecmp?", Ceil = "ceil", Center = "center", Chars = "chars", Chomp = "chomp", Chop = "chop",
    Class = "class", Clamp = "clamp", Clear = "clear", Collect = "collect", CollectBang = "collect!",
    CollectConcat = "collect_concat", Compact = "compact", CompactBang = "compact!", Concat = "concat",
    Count = "count", CoverP = "cover?", Delete = "delete", DeleteAt = "delete_at", DeleteIf = "delete_if",
    DeletePrefix = "delete_prefix", DeleteSuffix = "delete_suffix", Detect = "detect", Dig = "dig", Digest = "digest", Div = "div", Divmod = "divmod",
    Downcase = "downcase", Downto = "downto", Drop = "drop", DropWhile = "drop_while", Dup = "dup", Each = "each",
    EachChar = "each_char", EachCons = "each_cons", EachEntry = "each_entry", EachIndex = "each_index",
    EachKey = "each_key", EachLine = "each_line", EachPair = "each_pair", EachSlice = "each_slice",
    EachValue = "each_value", EachWithIndex = "each_with_index", EachWithObject = "each_with_object",
    EmptyP = "empty?", End = "end", EndWithP = "end_with?", Entries = "entries", EqlP = "eql?", EvenP = "even?",
    Except = "except", Fdiv = "fdiv", Fetch = "fetch", Filter = "filter", FilterMap = "filter_map", Find = "find",
    FindAll = "find_all", FindIndex = "find_index", First = "first", FlatMap = "flat_map", Flatten = "flatten",
    Floor = "floor", Freeze = "freeze", GroupBy = "group_by", Gsub = "gsub", GsubBang = "gsub!", HasKeyP = "has_key?",
    HasValueP = "has_value?", Hexdigest = "hexdigest", IncludeP = "include?", Index = "index", Inject = "inject",
    Inspect = "inspect", InstanceOfP = "instance_of?", IntegerP = "integer?", Intern = "intern", Invert = "invert",
    IsAP = "is_a?", Itself = "itself", Join = "join", KeyOf = "key", KeyP = "key?", KeepIf = "keep_if", Keys = "keys",
    KindOfP = "kind_of?", Last = "last", Length = "length", Lines = "lines", Ljust = "ljust", Lstrip = "lstrip",
    Map = "map", MapBang = "map!", Match = "match", MatchP = "match?", Max = "max", MaxBy = "max_by",
    MemberP = "member?", Merge = "merge", MergeBang = "merge!", Min = "min", MinBy = "min_by", Minmax = "minmax",
    Name = "name", NegativeP = "negative?", Next = "next", NilP = "nil?", NoneP = "none?", OddP = "odd?",
    OneP = "one?", Ord = "ord", Partition = "partition", Pop = "pop", PositiveP = "positive?",
    PostMatch = "post_match", PreMatch = "pre_match", Pred = "pred", Prepend = "prepend", Product = "product",
    Push = "push", Reduce = "reduce", Reject = "reject", RejectBang = "reject!", Replace = "replace",
    RespondToP = "respond_to?", Reverse = "reverse", ReverseEach = "reverse_each", Rindex = "rindex",
    Rjust = "rjust", Rotate = "rotate", Round = "round", Rpartition = "rpartition", Rstrip = "rstrip",
    Scan = "scan", Select = "select", SelectBang = "select!", Shift = "shift", Size = "size", Slice = "slice",
    Sort = "sort", SortBang = "sort!", SortBy = "sort_by", SortByBang = "sort_by!", Source = "source",
    Split = "split", Squeeze = "squeeze", StartWithP = "start_with?", Step = "step", Store = "store", Strip = "strip",
    Sub = "sub", SubBang = "sub!", Succ = "succ", Sum = "sum", Swapcase = "swapcase", Take = "take",
    TakeWhile = "take_while", Tally = "tally", Tap = "tap", Then = "then", Times = "times", ToA = "to_a",
    ToAry = "to_ary", ToF = "to_f", ToH = "to_h", ToHash = "to_hash", ToI = "to_i", ToInt = "to_int", ToJson = "to_json", ToS = "to_s",
    ToStr = "to_str", ToSym = "to_sym", ToYaml = "to_yaml", Tr = "tr", TransformKeys = "transform_keys",
    TransformValues = "transform_values", Transpose = "transpose", Truncate = "truncate", Uniq = "uniq",
    UniqBang = "uniq!", Unshift = "unshift", Unwrap = "unwrap", Upcase = "upcase", Update = "update", Upto = "upto",
    ValueP = "value?", Values = "values", ValuesAt = "values_at", WithIndex = "with_index",
    ZeroP = "zero?", Zip = "zip",
    // Methods of the scope, and of classes.
    BoundP = "bound?", CallFunction = "call_function",
    Escape = "escape", Generate = "generate", ExistP = "exist?", Lookupvar = "lookupvar", New = "new", Quote = "quote",
    Setvar = "setvar",
}

impl Method {
    /// Whether it may change what it is called on.
    pub(super) fn is_changing(self) -> bool {
        matches!(
            self,
            Method::ShiftLeft
                | Method::SetAt
                | Method::Append
                | Method::Clear
                | Method::CollectBang
                | Method::CompactBang
                | Method::Concat
                | Method::Delete
                | Method::DeleteAt
                | Method::DeleteIf
                | Method::GsubBang
                | Method::KeepIf
                | Method::MapBang
                | Method::MergeBang
                | Method::Pop
                | Method::Prepend
                | Method::Push
                | Method::RejectBang
                | Method::Replace
                | Method::SelectBang
                | Method::Shift
                | Method::SortBang
                | Method::SortByBang
                | Method::Store
                | Method::SubBang
                | Method::UniqBang
                | Method::Unshift
                | Method::Update
        )
    }
}
