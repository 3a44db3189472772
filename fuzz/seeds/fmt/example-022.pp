$x = { 'a' => 1,
  'long_key'=>2 }
