if ($a == 'x' and
$b == 'y') {
  notice(1)
}
if $a == 'x'
    or $b == 'y' {
  notice(1)
}
