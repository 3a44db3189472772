file{"/etc/motd" :
    ensure=>file,
  mode   => '0644',
      content    => "hello"
}
