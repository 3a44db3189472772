case { a: 1, b: 2 }; in { a: Integer => x, **rest } then [x, rest] end
