define m::d() { notify { $title: } }
m::d { a: }
notify { z: require => M::D[a] }