define d() { $x = $title
 notify { $x: } }
d { [a,b]: }