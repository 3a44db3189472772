class foo (
  # the name
  String $a, # required
  Integer $b = 1 # optional
) {}
