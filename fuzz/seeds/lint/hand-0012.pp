#lint:ignore:double_quoted_strings
$foo = "true"
#lint:endignore
