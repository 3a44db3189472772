# Needs Ruby by what it names.
require 'fiddle'
Facter.add(:by_name) { setcode { [Fiddle::SIZEOF_INT, Facter.value(:natively)] } }
