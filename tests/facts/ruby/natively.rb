Facter.add(:natively) { setcode { 'here' } }
Facter.add(:by_another) { setcode { Facter.value(:by_name).last + '!' } }
