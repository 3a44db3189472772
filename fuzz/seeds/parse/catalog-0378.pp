define d($x = 5) { notify { $title: message => $x } }
d { [a,b]: }