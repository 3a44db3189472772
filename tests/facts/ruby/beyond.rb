# Puppet has integers of 64 bits.
Facter.add(:beyond) { setcode { 2**64 } }
