class foo {
  file { 'a':
