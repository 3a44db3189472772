class c { notify { a: } }
class { 'c': tag => cls }