$v = {}
$v.group_by |$x| { $x == 2 }