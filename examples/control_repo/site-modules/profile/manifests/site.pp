# One site of the web server.
define profile::site (
  Profile::Port        $port,
  Profile::Path        $docroot = profile::docroot($title),
) {
  file { "/etc/sites/${title}.conf":
    ensure  => file,
    content => epp('profile/site.conf.epp', {
      'name'    => $title,
      'port'    => $port,
      'docroot' => $docroot,
    }),
  }
}
