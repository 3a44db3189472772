# Packages and a message of the day.
class profile::base (
  Array[String[1]] $packages,
  String           $motd = "Managed by Puppet.\n",
) {
  package { sort($packages):
    ensure => installed,
  }

  file { '/etc/motd':
    ensure  => file,
    content => $motd,
  }
}
