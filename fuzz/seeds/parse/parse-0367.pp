class mymodule::someclass::example($x = 100) {
  $a = 10
}