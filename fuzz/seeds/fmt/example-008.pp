file { '/a': ensure => file, owner => 'root',
  mode => '0644', }
