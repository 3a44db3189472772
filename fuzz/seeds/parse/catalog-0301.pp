class c($x = 7) { notify { x: message => $x } }
class { 'c': x => undef }