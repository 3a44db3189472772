$a = "x"
$b = "it's"
$c = "a\tb"
$d = "${e}"
