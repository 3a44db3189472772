$x = foo(
1,
    2
)
$y = merge($a, {
'b' => 1,
})
