define d() { notify { $title: } }
d { a: }