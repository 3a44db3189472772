type Foo::Bar = Struct[{
name => String,
Optional[value]=>Integer,
}]
