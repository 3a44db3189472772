class c { notify { x: } }
include Class[c]