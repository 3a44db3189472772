define foo() { notify { "n${title}": } }
foo { a: } -> foo { b: }