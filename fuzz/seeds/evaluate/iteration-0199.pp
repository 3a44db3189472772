[1,2,3].reduce |$m,*$x| { notice($x)
 $m }