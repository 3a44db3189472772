# What Ruby tells of itself.
module GC
  def self.start(**_options) = nil
  def self.enable = false
  def self.disable = false
  def self.stress = false
  def self.count = 0
  def self.stat(*) = {}
  def self.compact = nil
end

# Questions about files, asked of another name.
FileTest = File

module ObjectSpace
  def self.each_object(*) = raise(NotImplementedError, 'objects cannot be listed here')
  def self.garbage_collect(**_options) = nil
end

module Signal
  NAMES = { 'EXIT' => 0, 'HUP' => 1, 'INT' => 2, 'QUIT' => 3, 'KILL' => 9, 'USR1' => 10, 'USR2' => 12, 'PIPE' => 13, 'ALRM' => 14, 'TERM' => 15, 'CHLD' => 17 }.freeze
  private_constant :NAMES

  def self.list = NAMES.dup
  def self.signame(number) = NAMES.key(number)
  def self.trap(name, *_rest, &block) = Kernel.trap(name, &block)
end

# Copies of values; nothing is turned into bytes, since only copies are ever made of them.
module Marshal
  MAJOR_VERSION = 4
  MINOR_VERSION = 8

  class << self
    def dump(value, *)
      check(value, {})
      Dumped.new(copy(value, {}))
    end

    def load(dumped, proc = nil, freeze: false)
      raise TypeError, 'instance of IO needed' unless dumped.is_a?(Dumped)
      copy(dumped.kept, {})
    end
    alias restore load

    private

    def check(value, seen)
      return if seen.key?(value.__id__)
      seen[value.__id__] = true
      case value
      when Proc, Method then raise TypeError, "no _dump_data is defined for class #{value.class}"
      when IO then raise TypeError, "instance of #{value.class} can't be dumped"
      when Array then value.each { |item| check(item, seen) }
      when Hash
        raise TypeError, "can't dump hash with default proc" if value.default_proc
        value.each { |key, item| check(key, seen) && check(item, seen) }
      else
        raise TypeError, "singleton can't be dumped" if !value.frozen? && !value.is_a?(Module) && !value.singleton_methods.empty?
        value.instance_variables.each { |name| check(value.instance_variable_get(name), seen) }
      end
    end

    def copy(value, known)
      return known[value.__id__] if known.key?(value.__id__)
      case value
      when nil, true, false, Numeric, Symbol, Module, Range, Regexp then value
      when String then known[value.__id__] = value.dup
      when Array
        made = known[value.__id__] = value.dup.clear
        value.each { |item| made << copy(item, known) }
        made
      when Hash
        made = known[value.__id__] = value.dup.clear
        value.each { |key, item| made[copy(key, known)] = copy(item, known) }
        made
      else
        made = known[value.__id__] = value.dup
        value.instance_variables.each { |name| made.instance_variable_set(name, copy(value.instance_variable_get(name), known)) }
        value.to_h.each { |name, item| made[name] = copy(item, known) } if value.is_a?(Struct)
        made
      end
    end
  end

  class Dumped < String
    attr_reader :kept

    def initialize(kept)
      super("\x04\b")
      @kept = kept
    end
  end
  private_constant :Dumped
end

class Fiber
  def initialize(&block)
    raise ArgumentError, 'tried to create Proc object without a block' unless block
    @block = block
    @state = :new
  end

  def resume(*args)
    raise FiberError, 'attempt to resume a terminated fiber' if @state == :done
    @enumerator ||= Enumerator.new do |out|
      before = Thread.current[:__fiber]
      Thread.current[:__fiber] = out
      @result = @block.call(*args)
      Thread.current[:__fiber] = before
    end
    @enumerator.next
  rescue StopIteration
    @state = :done
    @result
  end

  def alive? = @state != :done

  def self.yield(*values)
    out = Thread.current[:__fiber] || raise(FiberError, "can't yield from root fiber")
    out.yield(*values)
  end
end

class FiberError < StandardError; end unless defined?(FiberError)

ARGV = []
ARGF = nil
DATA = nil
RUBY_PATCHLEVEL = 20
RUBY_RELEASE_DATE = '2022-04-12'
RUBY_COPYRIGHT = 'ruby - Copyright (C) 1993-2022 Yukihiro Matsumoto'
RUBY_DESCRIPTION = 'ruby 3.1.2p20 (2022-04-12 revision 4491bb740a) [x86_64-linux-gnu]'
RUBY_ENGINE_VERSION = '3.1.2'

module RbConfig
  CONFIG = { 'host_os' => 'linux-gnu', 'ruby_version' => '3.1.0', 'MAJOR' => '3', 'MINOR' => '1', 'TEENY' => '2', 'bindir' => '/usr/bin', 'ruby_install_name' => 'ruby3.1', 'target_os' => 'linux', 'arch' => 'x86_64-linux-gnu', 'EXEEXT' => '', 'sysconfdir' => '/etc', 'libdir' => '/usr/lib' }.freeze
  def self.ruby = '/usr/bin/ruby3.1'
end
