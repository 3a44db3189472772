$x =
'a long value'
file { 'a':
  content =>
  'b',
}
