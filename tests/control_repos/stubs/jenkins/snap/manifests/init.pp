# Stands in for a module that cannot be had.
class snap {
  package { 'snapd': ensure => present }
  service { 'snapd': ensure => running, enable => true, require => Package['snapd'] }
}
