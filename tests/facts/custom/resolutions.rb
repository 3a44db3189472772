# Ways to find a fact out, and which one of several counts.
Facter.add(:block) { setcode { 'a block' } }
Facter.add('Named') { setcode { 'lower case' } }
Facter.add(:command) { setcode 'echo one; echo two' }
Facter.add(:silent_command) { setcode 'true' }
Facter.add(:lacking_command) { setcode 'no-such-program --version' }
Facter.add(:value, value: 'given') { has_weight 1 }
Facter.add(:symbol) { setcode { :a_symbol } }
Facter.add(:nested) { setcode { { 'a' => [1, 2.5, nil, true, { b: :c }], 3 => 'three' } } }
Facter.add(:nothing) { setcode { nil } }
Facter.add(:never) { setcode { false } }
Facter.add(:time) { setcode { Time.at(0).utc } }
Facter.add(:odd) { setcode { Object.new } }
Facter.add(:bytes) { setcode { "a\xFFb" } }
Facter.add(:latin) { setcode { "gr\xFCn".dup.force_encoding('ISO-8859-1') } }
Facter.add(:heavy) { has_weight 5; setcode { 'light' } }
Facter.add(:heavy) { has_weight 50; setcode { 'heavy' } }
Facter.add(:heavy) { has_weight 500; setcode { nil } }
Facter.add(:confined) { confine kernel: 'Linux', osfamily: %w[Debian RedHat]; setcode { 'two conditions' } }
Facter.add(:confined) { confine kernel: :linux; setcode { 'one condition' } }
Facter.add(:confined_away) { confine kernel: 'Windows'; setcode { 'not here' } }
Facter.add(:by_range) { confine(:by_number) { |it| it > 3 }; setcode { 'yes' } }
Facter.add(:by_number) { setcode { 7 } }
Facter.add(:by_values) { confine by_number: 5..9; setcode { 'in the range' } }
Facter.add(:by_pattern) { confine kernel: /lin/; setcode { 'matches' } }
Facter.add(:by_block) { confine { Facter.value(:kernel) == 'Linux' }; setcode { 'block' } }
Facter.add(:by_broken_block) { confine { raise 'no' }; setcode { 'never' } }
Facter.add(:by_nested) { confine 'os.family' => 'Debian'; setcode { 'path' } }
Facter.add(:by_unknown) { confine no_such_fact: true; setcode { 'never' } }
Facter.add(:by_boolean) { confine is_virtual: [true, false]; setcode { 'either' } }
Facter.add(:kernel) { setcode { 'without weight' } }
Facter.add(:kernelmajversion) { has_weight 1; setcode { 'with weight' } }
Facter.add(:path) { confine kernel: 'Linux'; setcode { 'with a condition' } }
Facter.add(:failing) { setcode { raise 'broken' } }
Facter.add(:failing) { setcode { 'asked no more' } }
Facter.add(:timezone) { has_weight 9; setcode { raise 'the core fact stays' } }
Facter.add(:asks) { setcode { [Facter.value(:by_number), Facter.value('os.name'), Facter[:kernel].value, Facter.fact(:nope)] } }
Facter.add(:asks_later) { setcode { Facter.value(:defined_later).to_s + '!' } }
Facter.add(:defined_later) { setcode { 'later' } }
Facter.add(:loops) { setcode { Facter.value(:loops_back) } }
Facter.add(:loops_back) { setcode { Facter.value(:loops) } }
Facter.add(:asks_parts) { setcode { [Facter.value('nested.a.0'), Facter.value('nested.b'), Facter.value(:ipaddress_lo)] } }
Facter.add(:slow, timeout: 0.2) { setcode { sleep 30 } }
Facter.add(:slow_command, timeout: 0.2) { setcode { `sleep 30` } }
Facter.add(:limit) { setcode { Facter::Core::Execution.execute('sleep 30', timeout: 1, on_fail: 'gave up') } }
Facter.add('dotted.name') { setcode { 'own name' } }
Facter.add(:several_blocks) { setcode { 'first' }; setcode { 'last' } }
Facter.add(:without_code) { has_weight 3 }
%w[one two].each { |name| Facter.add("made_#{name}") { setcode { name * 2 } } }
Facter.define_fact(:defined) { define_resolution('way') { setcode { 'by define_fact' } } }
