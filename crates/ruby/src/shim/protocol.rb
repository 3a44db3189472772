# frozen_string_literal: true

# The helper's side of the conversation with the compiler.
#
# Messages are JSON after a length of four bytes. The compiler asks (`op`); while answering, Ruby code may ask back
# (`callback`), and before that is answered the compiler may ask again: requests and answers nest like calls.

require 'json'

module Bunraku
  # The time of the call is over. Not a StandardError, so that a `rescue` in a template does not hold it up.
  class TimeLimit < Exception; end # rubocop:disable Lint/InheritException

  # The compiler is leaving the call (`return`, `break`, an error of its own) through the Ruby code it passes.
  class Unwind < Exception; end # rubocop:disable Lint/InheritException

  SUGGESTED = [String, Array, Hash, Integer, Float, Symbol, NilClass, TrueClass, FalseClass].freeze

  class << self
    attr_reader :settings, :load_path, :environment_name

    # Takes the pipes for itself, so that nothing Ruby code reads or writes can meet the conversation.
    def open_pipes
      @input = $stdin.dup.binmode
      @output = $stdout.dup.binmode
      @output.sync = true
      $stdin.reopen(File::NULL)
      $stdout.reopen($stderr)
      $stdout = ClosedOutput.new
      @settings = {}
      @load_path = []
      @environment_name = 'production'
    end

    def limit(seconds:, memory:, output:)
      @seconds = seconds
      @output_limit = output
      Process.setrlimit(Process::RLIMIT_AS, memory) if memory
      Process.setrlimit(Process::RLIMIT_CORE, 0)
    rescue ArgumentError, NotImplementedError, SystemCallError
      nil # A platform without this limit still has the compiler's own clock.
    end

    # Which environment the code that follows belongs to.
    def enter(message)
      @environment_name = message['name']
      @settings = message['settings']
      $LOAD_PATH.reject! { |path| @load_path.include?(path) }
      @load_path = message['load_path']
      $LOAD_PATH.concat(@load_path)
      nil
    end

    # Objects that code put into variables, which is the only way by which templates hand them to each other. They
    # last as long as the call that the compiler made first.
    def objects
      @objects ||= {}
    end

    def begin_call(message)
      objects.clear if message['outermost']
    end

    # Answers requests until the pipe closes, or until the answer to our own request arrives.
    def serve
      while (message = receive)
        return message unless message.key?('op')

        send_message(answer(message).merge(loaded))
      end
      exit!(0)
    end

    # The files of modules that were required since the last answer. The compiler watches them for changes.
    def loaded
      @seen ||= 0
      return {} if $LOADED_FEATURES.size == @seen

      fresh = $LOADED_FEATURES.drop(@seen).select { |path| @load_path.any? { |root| path.start_with?("#{root}/") } }
      @seen = $LOADED_FEATURES.size
      fresh.empty? ? {} : { 'loaded' => fresh }
    end

    # Asks the compiler and waits for its answer; a block is called back by its number.
    def ask(callback, *arguments, &block)
      return ask_with(callback, arguments, block) if block

      message = { 'callback' => callback, 'args' => Values.encode(arguments) }
      message['top'] = true if @is_at_top
      reply = paused do
        send_message(message)
        from_scope { serve }
      end
      raise Unwind if reply['unwind']
      raise CompilerError.of(reply) if reply.key?('error')

      Values.decode(reply['ok'])
    end

    def ask_with(callback, arguments, block)
      blocks.push(block)
      ask(callback, *arguments, blocks.size - 1, block.arity)
    ensure
      blocks.pop
    end

    # The blocks that the compiler may call.
    def blocks
      @blocks ||= []
    end

    # What is asked in the block is asked from the top scope, whichever scope the call is in.
    def from_top(&block)
      from_scope(true, &block)
    end

    def from_scope(is_at_top = false)
      before = @is_at_top
      @is_at_top = is_at_top
      yield
    ensure
      @is_at_top = before
    end

    def answer(message)
      handler = HANDLERS.fetch(message['op'])
      timed { catch(:no_such_key) { return { 'ok' => handler.call(message) } } }
      { 'not_found' => true }
    rescue Unwind
      { 'unwind' => true }
    rescue SystemExit => e
      failure(e, 'exit is not allowed here')
    rescue NoMemoryError => e
      failure(e, 'the limit of memory is reached')
    rescue SystemStackError => e
      failure(e, 'stack level too deep')
    rescue Exception => e # rubocop:disable Lint/RescueException
      failure(e)
    end

    private

    def receive
      header = @input.read(4)
      return nil if header.nil? || header.bytesize < 4

      JSON.parse(@input.read(header.unpack1('N')), max_nesting: false)
    end

    def send_message(message)
      text = JSON.generate(message, max_nesting: false)
      if text.bytesize > @output_limit
        text = JSON.generate('error' => "the result is larger than #{@output_limit} bytes",
                             'class' => 'Bunraku::OutputLimit')
      end
      @output.write([text.bytesize].pack('N'), text)
    rescue JSON::GeneratorError, EncodingError => e
      text = JSON.generate('error' => "the result is not text: #{e.message.scrub}")
      @output.write([text.bytesize].pack('N'), text)
    end

    def failure(error, message = nil)
      path, line = place(error)
      { 'error' => (message || message_of(error)).to_s.dup.force_encoding('UTF-8').scrub, 'class' => error.class.name,
        'standard' => error.is_a?(StandardError), 'file' => path, 'line' => line,
        'number' => (error.number if error.is_a?(CompilerError)) }
    end

    # With the suggestion that Ruby makes for a misspelt name. The library for it takes long to load.
    def message_of(error)
      require 'did_you_mean' if suggestion?(error)
      error.message
    rescue LoadError, ArgumentError
      error.message
    end

    # Whether the names to choose from are Ruby's own, not those of this shim.
    def suggestion?(error)
      case error
      when NoMethodError, KeyError then SUGGESTED.include?(error.receiver.class)
      when NameError then error.name.to_s.match?(/\A[A-Z]/)
      end
    end

    # The place of an error in the code of the module rather than in this shim.
    def place(error)
      if error.is_a?(SyntaxError) && (match = error.message.match(/\A(.+?):(\d+): /))
        return [match[1], match[2].to_i]
      end

      frame = own_frames(error).first
      match = frame && frame.match(/\A(.+?):(\d+)(?::in |\z)/)
      match ? [match[1], match[2].to_i] : nil
    end

    def own_frames(error)
      (error.backtrace || []).reject { |frame| frame.start_with?('bunraku/', '<internal:', '-e:') }
    end

    # Runs a call within the limit of time. One thread watches all calls; it sleeps as long as nothing can be due.
    def timed
      watch
      @clock.synchronize { @deadline = now + @seconds }
      yield
    ensure
      # The lock resolves whether the call ended first or its time.
      @clock.synchronize { @deadline = nil }
    end

    # What the compiler does in between is not this call's time.
    def paused
      left = @clock.synchronize do
        rest = @deadline && (@deadline - now)
        @deadline = nil
        rest
      end
      yield
    ensure
      @clock.synchronize { @deadline = now + left } if left
    end

    def watch
      return if @watcher&.alive?

      main = Thread.current
      @clock = Mutex.new
      @watcher = Thread.new do
        loop do
          sleep(@clock.synchronize { interrupt(main) || @seconds })
        end
      end
    end

    # Stops a call whose time is over; otherwise tells how long it still has.
    def interrupt(main)
      left = @deadline && (@deadline - now)
      return left unless left && left <= 0

      @deadline = nil
      main.raise(TimeLimit, "no result after #{@seconds} seconds")
      nil
    end

    def now
      Process.clock_gettime(Process::CLOCK_MONOTONIC)
    end
  end

  # Standard output belongs to nobody here: a template that prints instead of returning is mistaken.
  class ClosedOutput
    def write(*)
      raise IOError, 'standard output is not available to templates and functions'
    end
    %i[print puts printf putc p << syswrite write_nonblock].each { |name| alias_method name, :write }

    def flush
      self
    end

    def sync
      true
    end
    alias sync= sync
    alias fsync sync
    alias tty? frozen?
    alias isatty frozen?
  end

  # A copy of the process would talk into the same pipes.
  module NoFork
    def fork(*)
      raise NotImplementedError, 'fork is not allowed here'
    end

    def daemon(*)
      raise NotImplementedError, 'daemon is not allowed here'
    end
  end
  Process.singleton_class.prepend(NoFork)
  Kernel.prepend(NoFork)
  Kernel.singleton_class.prepend(NoFork)
  Object.prepend(NoFork)

  # Requires of Puppet's own files are answered by this shim; modules may carry files of the same names.
  module Require
    SHIMMED = %r{\A(puppet|facter|hiera|semantic_puppet)(/|\.rb\z|\z)}.freeze

    def require(name)
      path = name.to_s
      if SHIMMED.match?(path)
        file = path.end_with?('.rb') ? path : "#{path}.rb"
        found = Bunraku.load_path.map { |directory| File.join(directory, file) }.find { |full| File.file?(full) }
        return found ? super(found) : false
      end
      super
    rescue LoadError
      raise if $LOADED_FEATURES.any? { |feature| feature.end_with?('/rubygems.rb') }

      super('rubygems')
      super
    end
  end
  Object.prepend(Require)
end
