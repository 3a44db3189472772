@user { ['a','b']: }
User <| title == a |> -> User <| title == b |>