define foo::bar($a, $b=1, $c) { }
