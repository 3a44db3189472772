with(1) |Integer $a, String $b = 3| {
 1 }