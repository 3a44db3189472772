class foo {
  file {
    '/a':
      owner => 'x';
    '/b':
      owner   => 'y',
      mode => '0644';
  }
}
