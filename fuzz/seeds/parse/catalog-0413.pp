define d($facts) { }
d { a: facts => 1 }