class c { notify { x: } }
class { 'c': stage => pre }
stage { 'pre': before => Stage[main] }