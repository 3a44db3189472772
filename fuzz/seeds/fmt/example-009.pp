file {
'/a':
owner => 'x',
mode=>'0644';
'/b':
  ensure => file;
}
