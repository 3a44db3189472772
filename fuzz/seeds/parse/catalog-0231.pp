notify { a: message => x }
Notify[a] { * => {loglevel => info} }