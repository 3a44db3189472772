# Runs custom facts: reads what is known and which files to load as JSON from standard input, and writes facts and
# messages as JSON to standard output. What files print themselves goes to standard error.
require 'json'
require 'open3'
require 'timeout'

RESULT = $stdout.dup
$stdout.reopen($stderr)
REQUEST = JSON.parse($stdin.read)
KNOWN = REQUEST['known']
MESSAGES = []

module Facter
  VERSION = REQUEST['version']

  module Core
    module Execution
      class ExecutionFailure < StandardError; end

      module_function

      def which(name)
        return (name if File.executable?(name) && File.file?(name)) if name.include?('/')
        (ENV['PATH'].to_s.split(':') + %w[/sbin /usr/sbin]).map { |dir| File.join(dir, name) }
          .find { |file| File.file?(file) && File.executable?(file) }
      end

      def execute(command, options = {})
        fallback = ->(text) { options.key?(:on_fail) && options[:on_fail] != :raise ? options[:on_fail] : raise(ExecutionFailure, text) }
        word = command[/\A\s*(?:"([^"]+)"|'([^']+)'|(\S+))/] && (Regexp.last_match(1) || Regexp.last_match(2) || Regexp.last_match(3))
        builtin = %w[echo test cd export if for while true false printf command type set . exit].include?(word)
        return fallback.call("Could not execute '#{command}': command not found") if !builtin && word !~ /=/ && which(word.to_s).nil?
        limit = options[:timeout] || options[:limit] || 300
        out, err, = Timeout.timeout(limit) { Open3.capture3({ 'LC_ALL' => 'C', 'LANG' => 'C' }, command) }
        Facter.warn("Command #{command} completed with the following stderr message: #{err.strip}", word.to_s) unless err.strip.empty?
        out.strip
      rescue Timeout::Error, SystemCallError => e
        fallback.call("Failed while executing '#{command}': #{e.message}")
      end

      def exec(command)
        execute(command, on_fail: nil)
      end
      alias exec_command exec

      def absolute_path?(path, *)
        path.start_with?('/')
      end

      def with_env(values)
        old = values.keys.to_h { |key| [key, ENV[key]] }
        values.each { |key, value| ENV[key] = value }
        yield
      ensure
        old&.each { |key, value| ENV[key] = value }
      end
      module_function :exec, :exec_command
    end
  end

  module Util
    module Resolution; end
  end

  # One way to find a fact out.
  class Resolution
    attr_reader :name, :confines, :timeout

    def initialize(fact, name, options)
      @fact, @name, @confines, @chunks = fact, name, [], {}
      @weight = options[:weight]
      @value = options[:value]
      @timeout = options[:timeout]
    end

    def has_weight(weight) = (@weight = weight; self)
    def weight = @weight || @confines.size
    attr_writer :timeout
    def on_flush; end
    def options(values) = (@timeout = values[:timeout] if values[:timeout])

    def confine(confines = nil, &block)
      case confines
      when Hash then confines.each { |fact, values| @confines << -> { fits?(fact, values) } }
      when nil then @confines << block
      else @confines << -> { (value = Facter.value(confines)) && block.call(value.is_a?(String) ? value.downcase.then { value } : value) }
      end
    end

    def setcode(command = nil, &block)
      @code = block || -> { text = Core::Execution.execute(command, on_fail: nil); text.to_s.empty? ? nil : text }
    end

    def chunk(name, options = {}, &block)
      @chunks[name] = [Array(options[:require]), block]
    end

    def aggregate(&block) = @aggregate = block
    def suitable? = @confines.all?(&:call)

    def value
      return @value unless @value.nil?
      found = limited { @chunks.empty? ? @code&.call : aggregated }
      Facter.plain(found)
    end

    private

    def limited(&block)
      @timeout && @timeout.positive? ? Timeout.timeout(@timeout, &block) : block.call
    end

    def fits?(fact, values)
      known = Facter.value(fact)
      return false if known.nil?
      fold = ->(it) { it.is_a?(String) || it.is_a?(Symbol) ? it.to_s.downcase : it }
      candidates = values.is_a?(Array) ? values : [values]
      candidates.flatten.any? do |value|
        case value
        when Regexp then value.match?(known.to_s)
        when Proc then value.call(known)
        when Range then value.include?(known)
        else fold[value] == fold[known] || value.to_s.downcase == known.to_s.downcase
        end
      end
    end

    def aggregated
      results, left = {}, @chunks.dup
      until left.empty?
        ready = left.find { |_, (needs, _)| needs.all? { |need| results.key?(need) } } or raise 'dependency cycles in chunks'
        name, (needs, block) = ready
        results[name] = block.call(*needs.map { |need| results[need].freeze })
        left.delete(name)
      end
      return @aggregate.call(results) if @aggregate
      results.values.compact.reduce { |a, b| Facter.merged(a, b) }
    end
  end

  # A fact with all ways to find it out.
  class Fact
    attr_reader :name, :resolutions

    def initialize(name)
      @name, @resolutions = name, []
    end

    def value
      return @value if @done
      raise "recursion while resolving #{@name}" if @busy
      @busy = true
      @value = find
      @done = true
      @value
    ensure
      @busy = false
    end

    def weight = @winner&.weight || 0

    private

    def find
      @resolutions.each_with_index.sort_by { |it, at| [-it.weight, at] }.map(&:first).each do |resolution|
        # A core fact gives way to what has some weight.
        return KNOWN[@name] if resolution.weight.zero? && KNOWN.key?(@name)
        begin
          next unless resolution.suitable?
          found = resolution.value
        rescue StandardError, ScriptError => e
          Facter.error("Error while resolving custom fact fact='#{@name}', resolution='#{resolution.name || '<anonymous>'}': #{e.message}")
          next
        end
        next if found.nil?
        @winner = resolution
        return found
      end
      KNOWN[@name]
    end
  end

  FACTS = {}

  class << self
    def add(name, options = {}, &block)
      define_fact(name).tap do |fact|
        resolution = fact.resolutions.find { |it| options[:name] && it.name == options[:name] }
        unless resolution
          resolution = Resolution.new(fact, options[:name], options)
          fact.resolutions << resolution
        end
        resolution.instance_eval(&block) if block
      end
    end

    def define_fact(name, *) = FACTS[name.to_s.downcase] ||= Fact.new(name.to_s.downcase)

    def value(name)
      name = name.to_s
      return FACTS[name.downcase].value if FACTS.key?(name.downcase)
      return KNOWN[name] if KNOWN.key?(name)
      first, *rest = name.split('.')
      start = FACTS.key?(first) ? FACTS[first].value : KNOWN[first]
      rest.reduce(start) { |it, key| it.is_a?(Hash) ? it[key] : it.is_a?(Array) && key =~ /\A\d+\z/ ? it[key.to_i] : nil }
    end

    def fact(name)
      found = value(name)
      found.nil? && !FACTS.key?(name.to_s) ? nil : Struct.new(:name, :value).new(name.to_s, found)
    end
    alias [] fact

    def to_hash = KNOWN.merge(FACTS.transform_values(&:value))
    def list = to_hash.keys
    def version = VERSION
    def debugging? = false
    def trace? = false
    def clear; end
    def reset; end
    def flush; end
    def loadfacts; end
    def search(*); end
    def search_external(*); end
    def search_path = []
    def warn(text, source = 'Facter') = (MESSAGES << ['warn', source, text.to_s]; nil)
    alias warnonce warn
    def info(text) = (MESSAGES << ['info', 'Facter', text.to_s]; nil)
    def debug(text = nil) = (MESSAGES << ['debug', 'Facter', text.to_s]; nil)
    alias debugonce debug
    def error(text) = (MESSAGES << ['error', 'Facter', text.to_s]; nil)
    def log_exception(error, text = nil) = self.error(text || error.message)

    def merged(one, other)
      case [one, other]
      in [Hash, Hash] then one.merge(other) { |_, a, b| merged(a, b) }
      in [Array, Array] then one + other
      else raise "Cannot merge #{one.inspect}:#{one.class} and #{other.inspect}:#{other.class}"
      end
    end

    def plain(value)
      case value
      when nil, true, false, Integer, Float then value
      when Hash then value.to_h { |key, inner| [key.to_s, plain(inner)] }
      when Array then value.map { |inner| plain(inner) }
      else value.to_s.encode('UTF-8', invalid: :replace, undef: :replace)
      end
    end
  end

  Util::Resolution.define_singleton_method(:exec) { |command| Core::Execution.exec(command) }
  Util::Resolution.define_singleton_method(:which) { |name| Core::Execution.which(name) }
end
$LOADED_FEATURES << 'facter.rb'

REQUEST['load_path'].each { |dir| $LOAD_PATH.unshift(dir) }
REQUEST['files'].each do |file|
  load file
rescue ScriptError => e
  Facter.error("Error loading fact #{file}: #{e.message}")
rescue StandardError => e
  Facter.error("error while resolving custom facts in #{file} #{e.message}")
end
found = Facter::FACTS.to_h { |name, fact| [name, fact.value] }
RESULT.write(JSON.generate('facts' => found.compact, 'messages' => MESSAGES))
