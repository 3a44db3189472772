$x = [
'a', # one
# two
'b'
]
