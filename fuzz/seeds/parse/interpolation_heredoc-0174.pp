$define = 5
"${define} ${$define}"