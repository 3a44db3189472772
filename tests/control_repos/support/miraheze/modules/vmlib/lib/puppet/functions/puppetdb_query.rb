# Answers what PuppetDB would: two invented nodes, and no resources.
Puppet::Functions.create_function(:puppetdb_query) do
  dispatch :query do
    param 'Variant[String, Array]', :query
  end

  def query(query)
    text = query.to_s
    nodes = %w[other1.fsslc.wtnet other2.fsslc.wtnet]
    return [] if text.start_with?('resources[parameters]') || text.include?('"resources"')

    nodes.each_with_index.flat_map do |node, number|
      next [{ 'certname' => node, 'title' => "Class[#{number}]", 'parameters' => {} }] unless text.start_with?('facts')

      networking = { 'fqdn' => node, 'hostname' => node[/\w+/], 'ip' => "192.0.2.#{number}", 'ip6' => "2001:db8::#{number}",
                     'interfaces' => { 'eth0' => { 'ip' => "192.0.2.#{number}", 'ip6' => "2001:db8::#{number}" } } }
      [{ 'certname' => node, 'name' => 'networking', 'value' => networking }]
    end
  end
end
