# @summary x
#
# @param a  the   a
class foo (String $a) {
}
