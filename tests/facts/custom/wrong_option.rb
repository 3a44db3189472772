Facter.add(:wrong_option, weigth: 3) { setcode { 'x' } }
