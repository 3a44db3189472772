$a    = 1
$bbbb = 2
$c = 3
