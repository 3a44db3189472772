define foo() { notify { "v${title}": } }
@foo { a: }