$x = $a
.filter |$y| { $y }
    .map |$y| { $y + 1 }
