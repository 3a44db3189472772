define d() {
  fail('x')
}
d { a: }