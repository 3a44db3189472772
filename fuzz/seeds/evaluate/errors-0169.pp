type A = Integer
function f(A $x) { $x }

  f('a')