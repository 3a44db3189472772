# What the module says of algorithms that it does not have.
module Digest
  def self.const_missing(name)
    raise LoadError, "library not found for class Digest::#{name} -- digest/#{name.to_s.downcase}"
  end
end
