class c { tag 't'
 notify { x: } }
include c