class c { }
class { 'c': tag => t, noop => true }