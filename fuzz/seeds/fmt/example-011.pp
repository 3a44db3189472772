@ user { 'x': ensure => present }
@@ file { 'y': ensure => file }
