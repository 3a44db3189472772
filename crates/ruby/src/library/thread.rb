# Threads, which run to their end where they are made.
class ThreadError < StandardError; end unless defined?(ThreadError)

class Thread
  class << self
    def new(*args, &block)
      raise ThreadError, 'must be called with a block' unless block
      made = allocate
      made.__send__(:run, args, block)
      made
    end
    alias start new
    alias fork new

    def current = @current || main
    def main = @main ||= allocate.tap { |thread| thread.__send__(:prepare) }
    def pass = nil
    def list = [current]
    def abort_on_exception = false
    def abort_on_exception=(value); end
    def report_on_exception = true
    def report_on_exception=(value); end
    def exclusive = yield
    def handle_interrupt(*) = yield
    attr_writer :current
  end

  attr_accessor :name, :report_on_exception, :abort_on_exception, :priority

  def value
    join
    @value
  end

  def join(_limit = nil)
    if @error
      error, @error = @error, nil
      raise error
    end
    self
  end

  def [](name) = @locals[name.to_sym]
  def []=(name, value)
    @locals[name.to_sym] = value
  end
  def key?(name) = @locals.key?(name.to_sym)
  def keys = @locals.keys
  def thread_variable_get(name) = @variables[name.to_sym]
  def thread_variable_set(name, value) = @variables[name.to_sym] = value
  def thread_variable?(name) = @variables.key?(name.to_sym)
  def alive? = equal?(Thread.main)
  def status = alive? ? 'run' : false
  def stop? = !alive?
  def kill = self
  alias exit kill
  alias terminate kill
  def wakeup = self
  def group = nil
  def backtrace = []

  private

  def prepare
    @locals = {}
    @variables = {}
  end

  def run(args, block)
    prepare
    before = Thread.current
    Thread.current = self
    @value = block.call(*args)
  rescue Exception => e
    @error = e
  ensure
    Thread.current = before
  end

  class Mutex
    def lock
      raise ThreadError, 'deadlock; recursive locking' if @locked
      @locked = true
      self
    end

    def unlock
      raise ThreadError, 'Attempt to unlock a mutex which is not locked' unless @locked
      @locked = false
      self
    end

    def try_lock = @locked ? false : (@locked = true)
    def locked? = !!@locked
    def owned? = !!@locked

    def synchronize
      lock
      begin
        yield
      ensure
        unlock
      end
    end
  end

  class ConditionVariable
    def wait(_mutex, _limit = nil) = self
    def signal = self
    def broadcast = self
  end

  class Queue
    def initialize(items = [])
      @items = items.to_a.dup
      @closed = false
    end

    def push(item)
      raise ClosedQueueError, 'queue closed' if @closed
      @items.push(item)
      self
    end
    alias << push
    alias enq push

    def pop(non_block = false)
      return @items.shift unless @items.empty?
      return nil if @closed
      raise ThreadError, 'queue empty' if non_block
      raise fatal_error
    end
    alias shift pop
    alias deq pop

    def close
      @closed = true
      self
    end

    def closed? = @closed
    def empty? = @items.empty?
    def size = @items.size
    alias length size
    def clear = @items.clear && self
    def num_waiting = 0

    private

    def fatal_error = ThreadError.new('No live threads left. Deadlock?')
  end

  class SizedQueue < Queue
    attr_reader :max

    def initialize(max)
      super()
      @max = max
    end
  end
end

Mutex = Thread::Mutex
Queue = Thread::Queue
SizedQueue = Thread::SizedQueue
ConditionVariable = Thread::ConditionVariable

class Monitor
  def enter = nil
  alias mon_enter enter
  def exit = nil
  alias mon_exit exit
  def try_enter = true
  def synchronize = yield
  alias mon_synchronize synchronize
  def new_cond = ConditionVariable.new
end

module MonitorMixin
  def mon_initialize = nil
  def mon_enter = nil
  def mon_exit = nil
  def mon_synchronize = yield
  alias synchronize mon_synchronize
  def new_cond = ConditionVariable.new
end

class Thread
  module Backtrace
    # A line of a backtrace.
    class Location
      attr_reader :path, :lineno, :label

      def initialize(text)
        @text = text
        @path, @lineno, @label = text.match(/\A(.*?):(\d+)(?::in `(.*)')?\z/m).captures
        @lineno = @lineno.to_i
      end

      def absolute_path = File.expand_path(@path)
      def base_label = @label.sub(/\A(?:block|rescue|ensure)(?: \(\d+ levels\))? in /, '')
      def to_s = @text
      def inspect = @text.inspect
    end
  end
end
