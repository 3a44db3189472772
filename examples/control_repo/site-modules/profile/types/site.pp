# What the data says about a site.
type Profile::Site = Struct[{
  port              => Profile::Port,
  Optional[docroot] => Profile::Path,
}]
