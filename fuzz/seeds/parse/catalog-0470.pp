class c { notify { c: } }
node default { class { 'c': } }