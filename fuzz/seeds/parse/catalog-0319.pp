class c { class d { notify { x: } } }
include c