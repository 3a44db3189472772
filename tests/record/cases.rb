# Records what the reference gives for cases, or tells which cases it gives something else for:
#
#   ruby tests/record/cases.rb < cases.jsonl > recorded.jsonl
#   ruby tests/record/cases.rb --verify < tests/conformance/hiera.jsonl
#
# Whatever is missing in a module that a case has by name (`"modules/stdlib/metadata.json": "{}"`) is that of the module of
# the system, or of the directory MODULES. docs/testing.md tells which reference is asked.
require_relative '../differential/oracle'

MODULES = ENV.fetch('MODULES', '/usr/share/puppet/modules')

# Has modules of the system stand in for those that a question only names.
module SystemModules
  private

  def in_environment(question)
    super { |environment| link_modules(environment, question['files'] || {}) && yield(environment) }
  end

  def link_modules(environment, files)
    files.select { |_, text| text == '{}' }.keys.map { |path| path[%r{\Amodules/([^/]+)/metadata.json\z}, 1] }.compact.each do |name|
      Dir["#{MODULES}/#{name}/*"].each do |path|
        link = File.join(environment.modulepath.first, name, File.basename(path))
        File.symlink(path, link) unless File.exist?(link)
      end
    end
    environment.instance_variable_set(:@modules, nil)
    true
  end
end
Oracle.prepend(SystemModules)

verify = ARGV.include?('--verify')
different = 0
Dir.mktmpdir('cases') do |scratch|
  oracle = Oracle.new(scratch)
  # All at once: a process that a module starts may move the position of the input.
  $stdin.readlines.each do |line|
    kase = JSON.parse(line)
    recorded = kase.delete('expect')
    found = JSON.parse(JSON.generate(oracle.answer(kase)))
    next puts(JSON.generate(kase.merge('expect' => found))) unless verify
    next if found == recorded

    different += 1
    puts JSON.generate('id' => kase['id'], 'expect' => recorded, 'found' => found)
  end
end
exit(different.zero?) if verify
