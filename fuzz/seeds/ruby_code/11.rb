r = catch(:found) do
  [1, 2, 3].each { |x| throw :found, x * 2 if x == 2 }
  :no
end
r

