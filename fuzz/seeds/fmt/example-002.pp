class foo (
    String $a,
    Integer $b = 1
)
{
  include foo::bar
}
