if $a {
  notice(1)
}
# the other way
else {
  notice(2)
}
