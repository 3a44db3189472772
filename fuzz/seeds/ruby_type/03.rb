module A
  B = [:x, :y].freeze
  def self.values; B.map { |b| b.to_s } + %w[z]; end
end
Puppet::Type.newtype(:other) do
  A.values.each do |v|
    newparam(v.to_sym) { newvalues(*A::B) }
  end
  [1, 2].each_with_index { |a, i| newproperty("p#{a}_#{i}") }
  if Puppet.version.to_i > 5 then newmetaparam(:q) end
  loop { break }
end
