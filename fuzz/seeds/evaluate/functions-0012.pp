function foo($a = $b, $b = 1) { $a }
foo()