@notify { 'a': require => Notify[b] }
notify { b: }
Notify <| title == a |>