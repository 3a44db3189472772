Facter.add(:before_the_error) { setcode { 'kept' } }
raise 'at the top'
