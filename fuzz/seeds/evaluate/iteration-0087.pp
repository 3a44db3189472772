$v = 0
$v.index |$x| { $x == 2 or $x == b }