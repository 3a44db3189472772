@notify { default: message => x; a: }
Notify <| |>