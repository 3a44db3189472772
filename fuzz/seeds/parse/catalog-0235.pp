define foo() { notify { n: } Notify[n] { message => y } }
foo { a: }