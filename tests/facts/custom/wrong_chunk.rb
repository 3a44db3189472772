Facter.add(:nameless, type: :aggregate) { chunk('text') { 1 } }
