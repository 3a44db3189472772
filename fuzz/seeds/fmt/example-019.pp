case $facts['os']['family']{
  'Debian' :{ $x=1 }
'RedHat','Suse':   {
    $x = 2
  }
  default: { }
}
