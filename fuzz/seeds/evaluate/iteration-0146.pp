$v = {a=>1,b=>2}.reverse_each
$v.reverse_each |$x| { notice($x) }