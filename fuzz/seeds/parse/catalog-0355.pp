class c($x,) { }
class { c: x => 1 }