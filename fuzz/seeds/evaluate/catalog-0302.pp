class c($x = undef) { notify { x: message => $x } }
include c