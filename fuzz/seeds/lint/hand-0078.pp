foo { 'a':
  b => c
