class c { notify { x: } }
include c