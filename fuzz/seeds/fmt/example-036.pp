$x = 'first
   second
third'
  $y = "a"
