class c { if true { notify { x: } } }
include c