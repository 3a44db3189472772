# [*a*] x
# $b:: x
# @param c x
class foo ($a, $b, $c, $d) { }
