class p { notify { a: message => x } }
class c { Notify[a] { message => y } }
include p
include c