# Stands in for a module that cannot be had.
class yum_cron (
  Boolean $apply_updates = false,
  String $mailto = 'root',
  Array[String] $exclude_packages = [],
  String $reboot = 'never',
  String $reboot_command = 'reboot',
) {
  package { 'dnf-automatic': ensure => present }
  file { '/etc/dnf/automatic.conf':
    content => "apply_updates = ${apply_updates}\nemail_to = ${mailto}\nreboot = ${reboot}\n${reboot_command}\n${exclude_packages}\n",
    require => Package['dnf-automatic'],
  }
}
