# Records what the reference's command line answers: reads cases of tests/alias/*.jsonl from standard input and writes them
# with what `puppet` (or the command in PUPPET) gives. A case has `files` (path, text) and `steps`, each with `argv`; DIR stands
# for its directory. A step may have a `file` that is looked at afterwards; `"stderr": false` leaves messages out, and
# `"from": TEXT` compares what is printed after that text only.
require 'json'
require 'tmpdir'
require 'open3'

puppet = ENV.fetch('PUPPET', 'puppet').split
STDIN.each_line do |line|
  given = JSON.parse(line)
  Dir.mktmpdir('alias') do |made|
    directory = File.realpath(made)
    given.fetch('files', {}).each do |path, text|
      path = File.join(directory, path)
      system('mkdir', '-p', File.dirname(path))
      File.write(path, text)
    end
    given['steps'].each do |step|
      argv = step['argv'].map { |word| word.gsub('DIR', directory) }
      argv += ['--confdir', "#{directory}/conf", '--vardir', "#{directory}/var", '--codedir', "#{directory}/code"]
      stdout, stderr, status = Open3.capture3(*puppet, *argv, chdir: directory)
      clean = ->(text) { text.gsub(/\e\[[0-9;]*m/, '').gsub(directory, 'DIR') }
      step['exit'] = status.exitstatus
      step['stdout'] = clean.(stdout)
      step['stderr'] = step['stderr'] == false ? false : clean.(stderr)
      step['file'] = step['file'].to_h { |path, _| [path, clean.(File.read(File.join(directory, path)))] } if step['file']
    end
  end
  puts JSON.generate(given)
end
