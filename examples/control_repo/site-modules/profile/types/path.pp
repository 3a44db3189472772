# An absolute path.
type Profile::Path = Pattern[/\A\//]
