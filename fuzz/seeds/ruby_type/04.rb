Puppet::Type.type(:package).provide :foo, parent: Puppet::Provider::Package do
  has_feature :installable
  commands x: "y"
end
