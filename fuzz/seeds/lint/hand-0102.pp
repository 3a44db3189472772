class foo {
  notify { foo: ; 'bar': ; }
  notify { [a, 'b']: }
  notify { $x: }
}
