node foo, 'bar', default, /x/ { }
