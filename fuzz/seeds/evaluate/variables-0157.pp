$x = 1
class c { $x = 2 }
include c
[$x,$c::x]