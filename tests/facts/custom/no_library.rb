Facter.add(:needs_library) { setcode { 1 } }
require 'no/such/library'
