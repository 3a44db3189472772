package { 'a': } ->
# why
file { 'b':
  ensure => file,
}
