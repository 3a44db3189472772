node test { notify { t: } }
node default { notify { d: } }