# Records what functions of installed modules give. It is the oracle of the conformance corpus, but every module that a
# case has only by name (`"modules/stdlib/metadata.json": "{}"`) is the one of the system, or of the directory MODULES:
#
#   ORACLE=path/to/oracle.rb ruby tests/record/modules.rb --record < cases.jsonl > tests/conformance/stdlib.jsonl
require File.expand_path(ENV.fetch('ORACLE'))

MODULES = ENV.fetch('MODULES', '/usr/share/puppet/modules')

module SystemModules
  def with_environment(kase)
    super { |environment| link_modules(environment) && yield(environment) }
  end

  private

  def link_modules(environment)
    Dir["#{environment.modulepath.first}/*/"].each do |directory|
      Dir["#{MODULES}/#{File.basename(directory)}/*"].each do |path|
        link = File.join(directory, File.basename(path))
        File.symlink(path, link) unless File.exist?(link)
      end
    end
    environment.instance_variable_set(:@modules, nil)
    true
  end
end

Conformance::Runner.prepend(SystemModules)
main
