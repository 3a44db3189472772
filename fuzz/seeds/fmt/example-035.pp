file { '/a':
  content => @("EOT"),
      text ${x}
        more
    | EOT
  mode=>'0644'
}
