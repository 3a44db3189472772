# What the data says about a site.
type Profile::Site_settings = Struct[{
  port              => Profile::Port,
  Optional[docroot] => Profile::Path,
}]
