class { 'firewall': ensure => running, service_name => undef, ebtables_manage => true }
resources { 'firewall': purge => true }
firewallchain { 'LOGNEW:filter:IPv4': ensure => present }
firewallchain { 'INPUT:filter:IPv6': policy => drop, purge => true, ignore => ['-j fail2ban', 'docker'], before => undef }
Firewall { proto => tcp }
firewall { '001 related': ctstate => ['RELATED', 'ESTABLISHED'], action => accept, proto => all }
firewall { '002 icmp': proto => 'icmp', icmp => 'echo-request', action => 'accept' }
firewall { '100 web': dport => [80, 443, '8000-8010'], action => accept, source => '192.0.2.0/24', iniface => 'ens3', connlimit_above => 10, connlimit_mask => 32 }
firewall { '101 snat': chain => 'POSTROUTING', jump => 'MASQUERADE', proto => all, outiface => 'ens3', source => '10.0.0.0/8', table => 'nat' }
firewall { '102 dnat': table => nat, chain => 'PREROUTING', jump => 'DNAT', todest => '10.0.0.5:80', dport => 8080 }
firewall { '103 log': jump => 'LOG', log_prefix => 'drop: ', log_level => 'debug', log_uid => true, limit => '5/min', burst => 10, proto => all }
firewall { '104 recent': recent => 'set', rname => 'ssh', rsource => true, dport => 22, ctstate => 'NEW' }
firewall { '105 ipset': ipset => ['blacklist src', 'x dst,dst'], action => drop, proto => all }
firewall { '106 v6': provider => 'ip6tables', proto => 'ipv6-icmp', action => accept, hop_limit => '5' }
firewall { '107 mark': table => 'mangle', chain => 'OUTPUT', jump => 'MARK', set_mark => '0x3e8/0xffffffff' }
firewall { '108 time': time_start => '09:00', time_stop => '17:00', week_days => ['Mon', 'Fri'], action => accept }
firewall { '109 misc': src_range => '192.0.2.1-192.0.2.9', dst_type => ['LOCAL', '! UNICAST'], tcp_flags => 'SYN,RST,ACK SYN', mac_source => 'AA:BB:CC:DD:EE:FF', pkttype => 'multicast', uid => 'root', string => 'GET', string_algo => 'bm', stat_mode => 'nth', stat_every => 2, stat_packet => 0, clamp_mss_to_pmtu => true, jump => 'TCPMSS' }
firewall { '999 drop': proto => 'all', action => 'drop', before => undef }
