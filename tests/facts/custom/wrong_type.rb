Facter.add(:wrong_type, type: :other) { setcode { 1 } }
