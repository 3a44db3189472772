case $x {
  'a', 'b': { notice('ab') }
  /re/: { notice('re') }
  Integer: { notice('int') }
  default: { }
}
