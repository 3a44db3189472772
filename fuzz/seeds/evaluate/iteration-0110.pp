$v = Integer[1,default]
$v.reverse_each |$x| { notice($x) }