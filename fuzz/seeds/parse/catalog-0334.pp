class p($x = 1) { }
class c($y = $p::x) inherits p { notify { c: message => $y } }
include c