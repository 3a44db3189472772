Facter.add(:broken_file) { setcode { 1 }
