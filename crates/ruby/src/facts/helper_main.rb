# frozen_string_literal: true

# Loads the files, and answers with the facts that are wanted of them.
module Bunraku
  request = JSON.parse($stdin.read)
  $LOADED_FEATURES << 'facter.rb'
  request['load_path'].each { |directory| $LOAD_PATH.unshift(directory) }
  Facter.enter(request['known'], request['weights'], request['queries'], request['version'], request['debugging'])
  puppet if request['has_puppet']
  request['files'].each { |file| Facter.load_file(file) }
  timings = []
  left = Facter.names.select { |name| Facter.files_of(name).intersect?(request['left']) }
  found = ((request['wanted'] & Facter.facts.keys) | left).to_h do |name|
    start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
    value = Facter.find(name)
    timings << [name, Process.clock_gettime(Process::CLOCK_MONOTONIC) - start]
    [name, value]
  end
  ANSWER.write(JSON.generate('facts' => found.compact, 'messages' => Facter.messages, 'timings' => timings))
end
