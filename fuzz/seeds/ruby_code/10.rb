def t
  yield
rescue LocalJumpError => e
  [e.class, e.reason, e.message]
end
pr = proc { return 1 }
def call_it(p) = p.call
t { Proc.new { next 1 }.call }

