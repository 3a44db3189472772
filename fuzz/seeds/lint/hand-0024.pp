$foo = "true" // lint:ignore:double_quoted_strings
