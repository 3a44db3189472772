$x = foo ( 1,2 ,  $y )
notice ("a")
include   foo , bar
