# A port a service may listen on.
type Profile::Port = Integer[1, 65535]
