$class = "a"
"${$class.upcase}"