class c(Boolean $x = true, Enum[a,b] $y = a) { notify { "${x}${y}": } }
include c