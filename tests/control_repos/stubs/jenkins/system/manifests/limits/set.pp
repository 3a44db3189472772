# Stands in for a module that cannot be had.
define system::limits::set ($domain, $item, $soft, $hard) {
  file { "/etc/security/limits.d/${domain}-${item}.conf":
    content => "${domain} soft ${item} ${soft}\n${domain} hard ${item} ${hard}\n",
  }
}
