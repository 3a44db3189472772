package { [ 'a','b', 'c' ]: ensure=>installed }
