class c { Notify { message => d }
 notify { a: } }
include c
notify { b: }