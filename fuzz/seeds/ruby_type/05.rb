Puppet::Resource::ResourceType3.new('thing', [Puppet::Resource::Param(Enum['present'], 'ensure')], [Puppet::Resource::Param(String, 'name', true)], { /(?m-ix:(.*))/ => ['name'] }, true, false)
