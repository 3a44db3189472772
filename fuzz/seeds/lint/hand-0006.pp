# lint:ignore:double_quoted_strings
# lint:ignore:hard_tabs
	$foo = "true"
# lint:endignore
	$foo = "true"
# lint:endignore
	$foo = "true"
