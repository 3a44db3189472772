type A::B = Struct[{
  a => Integer,
  Optional[b] => String,
}]
