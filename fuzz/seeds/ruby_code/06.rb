class Eq
  attr_reader :k
  def initialize(k) = @k = k
  def eql?(o) = o.is_a?(Eq) && k == o.k
  def hash = k.hash
end
h = { Eq.new(1) => :a }
[h[Eq.new(1)], [Eq.new(1), Eq.new(1)].uniq.size, Eq.new(1) == Eq.new(1), [Eq.new(1)] - [Eq.new(1)], [Eq.new(1)].include?(Eq.new(1))]

