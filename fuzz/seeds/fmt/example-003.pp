class foo (
  String           $name,
  Optional[String] $description = undef,
  Enum['a','b']    $kind        = 'a'
) {
}
