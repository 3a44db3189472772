# frozen_string_literal: true

# Commands that custom facts run: in the C locale, with the administrator's programs found too. `Bunraku.run_command`
# runs one; whoever loads this file brings it along.

module Facter
  module Core
    # What facts call to run programs.
    module Execution
      class ExecutionFailure < StandardError; end

      # Programs are found there besides the directories of `PATH`.
      MORE_PATHS = %w[/sbin /usr/sbin /opt/puppetlabs/bin].freeze

      # How many seconds a command may take that no limit is given for.
      LIMIT = 300

      OPTIONS = %i[on_fail expand logger timeout time_limit limit].freeze

      module_function

      def search_paths
        ENV['PATH'].to_s.split(':') + MORE_PATHS
      end

      def which(program)
        return (program if program?(program)) if absolute_path?(program)

        search_paths.map { |directory| File.join(directory, program) }.find { |file| program?(file) }
      end

      def program?(file)
        File.executable?(file) && File.file?(file)
      end

      def absolute_path?(path, *)
        path.start_with?('/')
      end

      # The command with the full path of its program; nothing if there is no such program.
      def expand_command(command)
        quoted = command.match(/\A"(.+?)"(?:\s+(.*))?/) || command.match(/\A'(.+?)'(?:\s+(.*))?/)
        program, arguments = quoted ? quoted.captures : command.split(/ /, 2)
        path = program && which(program)
        return unless path

        path = "'#{path}'" if path.match?(/\s/)
        arguments ? "#{path} #{arguments}" : path
      end

      def execute(command, options = {})
        fallback = options.fetch(:on_fail, :raise)
        unknown = options.keys - OPTIONS
        unless unknown.empty?
          Facter.tell('warn', 'Facter::Core::Execution::Posix',
                      "Unexpected key passed to Facter::Core::Execution.execute option: #{unknown.join(',')} " \
                      "- valid keys: #{OPTIONS.first(4).join(',')}")
        end
        limit = (options[:timeout] || options[:time_limit] || options[:limit]).to_i
        own = options[:logger] || (!options.fetch(:expand, true) && builtin?(command))
        full = own ? command : expand_command(command)
        return execute_command(full, fallback, options[:logger], limit.positive? ? limit : nil).first if full
        return fallback unless fallback == :raise

        raise ExecutionFailure, "Could not execute '#{command}': command not found"
      end

      # What a command writes to standard output, and to standard error.
      def execute_command(command, on_fail = nil, logger = nil, timeout = nil)
        Facter.tell('debug', 'Facter::Core::Execution::Posix', "Executing command: #{command}")
        limit = timeout || LIMIT
        output, errors = Bunraku.run_command(command.to_s, limit)
        if output.nil?
          text = "Timeout encounter after #{limit}s, killing process"
          raise text if on_fail == :raise

          Facter.tell('debug', 'Facter::Core::Execution::Posix', text)
          output = errors = ''
        end
        unless errors.empty?
          Facter.tell('debug', command.split('/').last.to_s,
                      "Command #{command} completed with the following stderr message: #{errors.strip}")
        end
        [output.strip, errors]
      rescue StandardError => e
        return ['', ''] if logger
        return [on_fail, ''] unless on_fail == :raise

        raise ExecutionFailure, "Failed while executing '#{command}': #{e.message}"
      end

      def exec(command)
        execute(command, on_fail: nil)
      end

      def builtin?(command)
        Bunraku.run_command("type #{command}", LIMIT).first.to_s.include?('builtin')
      end

      def with_env(values)
        before = values.to_h { |name, _| [name, ENV[name]] }
        values.each { |name, value| ENV[name] = value }
        yield
      ensure
        before&.each { |name, value| ENV[name] = value }
      end
    end
  end
end
