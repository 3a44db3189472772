function f(Data $x) { $x }
f(/a/)