define foo($x = 1) { notify { "x${title}": message => $x } }
Foo { x => 9 }
foo { a: }