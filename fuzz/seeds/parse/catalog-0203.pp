class p { Notify { message => p } }
class c inherits p { notify { a: } }
include c