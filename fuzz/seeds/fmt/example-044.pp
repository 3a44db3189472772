class foo {

  $a = 1


  $b = 2

}
