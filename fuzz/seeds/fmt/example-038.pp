class foo { # about the class
    # first
  file { '/a':   # the file
  # who
    owner => 'x',    # not root
        mode => '0644',
  # last words
  }
# column one stays
      # end of block
}
