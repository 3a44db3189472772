class c::d::e { }
include c::d::e