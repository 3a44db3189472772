class foo($a,$b='x')
{
  notice($a)
}
