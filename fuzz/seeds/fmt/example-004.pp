class foo (
  String  $a   = 'x',
  Optional[Integer] $b = 1,
) {}
