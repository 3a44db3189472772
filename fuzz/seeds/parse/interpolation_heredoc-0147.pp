$x = "X"
$y_z = "YZ"
$a1 = "A1"
$h = {k=>"hv", "a b"=>"sp", 1=>"one"}
$arr = [10,[20,30]]
"$facts[os]"