class a {
  # fmt: off
  $a=1
    # fmt: on
  $b=2 # fmt: skip
  $c =  3
# lint:ignore:arrow_alignment
  file { 'a': a  => 1,
   bb => 2 }
# lint:endignore
}
