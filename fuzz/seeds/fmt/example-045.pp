function foo::bar( String $a )>>String{
$a
}
type Foo::Bar=Variant[String,Integer]
