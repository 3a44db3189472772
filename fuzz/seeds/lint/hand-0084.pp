$x = 'puppet:///foo/bar'
$y = "puppet:///modules/foo/${x}"
$z = "puppet:///foo/${x}"
