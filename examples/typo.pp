# A manifest with a mistake in it, for a look at how mistakes are shown.
$port = 8080
file { '/etc/motd':
  ensure  => file,
  content => "The shop listens on ${prot}.\n",
}
