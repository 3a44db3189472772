# Records what functions of installed modules give. It is the oracle of the conformance corpus, but every case sees the
# modules of the system in place of its own files:
#
#   ORACLE=path/to/oracle.rb ruby tests/record/modules.rb --record < cases.jsonl > tests/conformance/stdlib.jsonl
require File.expand_path(ENV.fetch('ORACLE'))

MODULES = ENV.fetch('MODULES', '/usr/share/puppet/modules')

module SystemModules
  def with_environment(_kase)
    env = Puppet::Node::Environment.create(:production, [MODULES], Puppet::Node::Environment::NO_MANIFEST)
    envs = Puppet::Environments::Static.new(env)
    Puppet.override({ environments: envs, current_environment: env }, 'case') { yield env }
  end
end

Conformance::Runner.prepend(SystemModules)
main
