$a.each|$k,$v|{
notice($k)
}
$b=$c.map | Integer $x | {$x*2}.filter |$y|{ $y>1 }
