@@notify { 'a': }
Notify <| |>