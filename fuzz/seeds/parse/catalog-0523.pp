$tpl = @("END"/L)
  host=${facts['networking']['fqdn']}
  long \
  line
  | END
file { '/x': content => $tpl }
file { '/y': content => inline_epp(@(EPP), {items => ['a', 'b']}) }
<%- | Array $items | -%>
<% $items.each |$i| { -%>
- <%= $i %>
<% } -%>
| EPP
