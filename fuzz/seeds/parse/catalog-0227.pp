notify { a: }
Resource[notify, a] { message => y }