$x = $y?{ 'a'=>1, default=>2 }
$z = $y ? {
  'aaa'=>1,
  default     =>2
}
