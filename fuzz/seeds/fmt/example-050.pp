$x = $a [0]
$y = $a['b'] ['c']
$z = foo($x)[1].bar
