class c(Integer $x = 'a') { }
include c