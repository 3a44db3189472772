function f(Array[Integer] $x) { $x }
f([1,a])