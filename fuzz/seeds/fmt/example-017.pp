unless $a   in ['x','y'] {
    notice( 1 )
}
if ! $b and !$c { notice(2) }
