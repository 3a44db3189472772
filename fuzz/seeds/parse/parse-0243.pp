class a {
  notify { 'x':
    message => 'y',
  }
}
