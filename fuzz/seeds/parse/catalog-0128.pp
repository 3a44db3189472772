@notify { 'a': tag => [t,u] }
Notify <| tag == u |>