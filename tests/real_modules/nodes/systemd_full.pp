class { 'systemd':
  manage_journald => true, journald_settings => { 'Storage' => 'auto', 'MaxRetentionSec' => '5day', 'MaxLevelStore' => { 'ensure' => 'absent' }, 'SystemMaxUse' => '1G' }, manage_udevd => true, udev_log => 'debug', udev_rules => { 'example.rules' => { 'rules' => ['ACTION=="add", KERNEL=="sda"', 'KERNEL=="sdb"'] } }, manage_logind => true, logind_settings => { 'HandleSuspendKey' => 'ignore', 'KillUserProcesses' => 'no', 'RemoveIPC' => 'no', 'UserTasksMax' => '10%', 'InhibitDelayMaxSec' => 5 }, manage_resolved => true, dns => ['192.0.2.53', '2001:db8::53'], fallback_dns => '192.0.2.54', domains => ['example.com', '~.'], llmnr => false, multicast_dns => 'resolve', dnssec => 'allow-downgrade', dnsovertls => 'opportunistic', cache => false, manage_networkd => true, networkd_ensure => 'running', manage_timesyncd => true, ntp_server => ['0.pool.ntp.org', '1.pool.ntp.org'], fallback_ntp_server => 'x.ntp.org', manage_accounting => true, service_limits => { 'foo.service' => { 'limits' => { 'LimitNOFILE' => 8192, 'LimitCORE' => 'infinity', 'MemoryLimit' => '1G', 'CPUQuota' => '50%' } } },
}
systemd::unit_file { 'foo.service': content => epp_or_text(), enable => 'mask', active => false, owner => 'root', mode => '0600', show_diff => false }
function epp_or_text() >> String { inline_epp('<%- | String $n = "x" | -%>[Unit]
Description=<%= $n %>
<% ["a", "b"].each |$i, $e| { -%>
Wants=<%= $e %>-<%= $i %>.service
<% } -%>
') }
systemd::dropin_file { 'limits.conf': unit => 'foo.service', content => "[Service]\nLimitNOFILE=1\n" }
systemd::dropin_file { 'link': unit => 'bar.service', filename => 'link.conf', target => '/dev/null', ensure => 'present' }
systemd::tmpfile { 'old.conf': content => 'x', ensure => 'file' }
systemd::network { 'dmz.netdev': source => 'puppet:///modules/x/dmz', restart_service => false }
systemd::timer { 'job.timer': timer_content => "[Timer]\n", service_unit => 'other.service', ensure => 'present' }
systemd::udev::rule { '99.rules': rules => ['a', 'b'], notify => Class["systemd"] }
