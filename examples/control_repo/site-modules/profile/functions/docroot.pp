# The folder of a site that does not say where it is.
function profile::docroot(String[1] $site) >> Profile::Path {
  "/srv/www/${site.downcase}"
}
