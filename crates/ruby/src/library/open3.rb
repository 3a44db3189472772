# Processes with all that they write.
module Open3
  module_function

  def capture3(*command, **options)
    options.delete(:binmode)
    Process.__run(*command, options)
  end

  def capture2(*command, **options)
    output, errors, status = capture3(*command, **options)
    $stderr.write(errors)
    [output, status]
  end

  def capture2e(*command, **options)
    output, errors, status = Process.__run(*command, options.merge(err: %i[child out]))
    [output + errors, status]
  end

  # What the block writes goes in when the process is run: at the end of writing, or when something is read.
  def popen3(*command, **options)
    require 'stringio'
    input = StringIO.new
    run = nil
    result = -> { run ||= Process.__run(*command, options.merge(stdin_data: input.string)) }
    output = Later.new { result.call[0] }
    errors = Later.new { result.call[1] }
    thread = Waiter.new { result.call[2] }
    return [input, output, errors, thread] unless block_given?
    value = yield(input, output, errors, thread)
    result.call
    value
  end

  def popen2(*command, **options)
    return popen3(*command, **options).values_at(0, 1, 3) unless block_given?
    popen3(*command, **options) { |input, output, _, thread| yield(input, output, thread) }
  end

  def popen2e(*command, **options)
    options = options.merge(err: %i[child out])
    return popen3(*command, **options).values_at(0, 1, 3) unless block_given?
    popen3(*command, **options) { |input, output, _, thread| yield(input, output, thread) }
  end

  # A stream whose text comes when it is first asked for.
  class Later
    def initialize(&block)
      @block = block
    end

    def method_missing(name, *args, **options, &block) = stream.__send__(name, *args, **options, &block)
    def respond_to_missing?(name, all = false) = stream.respond_to?(name, all)

    private

    def stream
      @stream ||= StringIO.new(@block.call)
    end
  end

  class Waiter
    def initialize(&block)
      @block = block
    end

    def value = @value ||= @block.call
    def join(*) = value && self
    def pid = value.pid
  end
end
