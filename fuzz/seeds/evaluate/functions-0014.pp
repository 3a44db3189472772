$g = 7
function foo($a = $g) { $a }
foo()