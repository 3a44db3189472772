class foo {
# lint:ignore:140chars
      $x = 'a'
    # lint:endignore
  $y = "b" # lint:ignore:double_quoted_strings
}
