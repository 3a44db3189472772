Puppet::Type.newtype(:thing) do
  @doc = "doc"
  ensurable do
    defaultvalues
    defaultto :present
  end
  newparam(:name, namevar: true) do
    desc "n"
    isnamevar
    validate { |v| raise "x" unless v =~ /a/ }
    munge { |v| v.to_s }
  end
  newproperty(:size, array_matching: :all) do
    newvalues(:small, /^\d+$/, 'x y')
    aliasvalue :s, :small
    defaultto { 1 + 2 }
  end
  autorequire(:file) { self[:name] }
  feature :fly, "can fly", methods: [:a]
  def self.title_patterns
    [[/^(.*):(.*)$/m, [[:name], [:size]]], [/(.*)/, [[:name, lambda { |x| x }]]]]
  end
end
