file { '/a':
  * => $attrs,
  ensure=>file,
}
