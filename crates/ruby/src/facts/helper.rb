# frozen_string_literal: true

# Custom facts that only a real Ruby can find out: reads what is asked as JSON from standard input and answers on standard
# output. What files print themselves goes to standard error.
require 'date'
require 'json'
require 'open3'
require 'time'
require 'timeout'

module Bunraku
  ANSWER = $stdout.dup
  $stdout.reopen($stderr)
  LANGUAGE = { 'LC_ALL' => 'C', 'LANG' => 'C' }.freeze

  # What a command writes, or nothing if it takes too long; it ends with all that it has started.
  def self.run_command(command, limit)
    Open3.popen3(LANGUAGE, command, pgroup: true) do |input, output, errors, process|
      input.close
      readers = [output, errors].map { |stream| Thread.new { stream.read } }
      Timeout.timeout(limit) { readers.map(&:value) }
    rescue Timeout::Error
      Process.kill('KILL', -process.pid)
      nil
    end
  end

  def self.unknown_fact(_name); end

  # Puppet is there for facts that name it, with its settings, as far as it is installed.
  def self.puppet
    require 'puppet'
    Puppet.initialize_settings unless Puppet.settings.global_defaults_initialized?
  rescue LoadError => e
    Facter.error("Could not load puppet gem, got #{e}")
  end
end
