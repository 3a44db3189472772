require 'digest'
Puppet::Functions.create_function(:'m::f') do
  dispatch :f do
    param 'Any', :a
    optional_param 'Any', :b
    return_type 'Any'
  end
  def f(a, b = nil)
    return 'Off' if a.nil? || a =~ %r{false}i
    g(a.to_s) + Digest::SHA1.hexdigest('x')
  end
  def g(a)
    a.each_char.map { |x| x * 2 }.join
  end
end
