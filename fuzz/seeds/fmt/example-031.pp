$x=1+2*-3
$y = $a=='b' and ! ($c !~ /d/)
$z = [*$list, 1]
