# frozen_string_literal: true

# The ways in which a custom fact is found out: what `Facter.add` makes of its block.

module Facter
  # A resolution of a fact has raised an exception; no other one is asked.
  class ResolveCustomFactError < StandardError; end

  # A condition under which a resolution counts.
  class Confine
    def initialize(fact = nil, *values, &block)
      raise ArgumentError, 'The fact name must be provided' unless fact || block
      raise ArgumentError, 'One or more values or a block must be provided' if values.empty? && !block

      @fact = fact
      @values = values
      @block = block
    end

    def true?
      return called { @block.call } unless @fact

      fact = Facter[@fact]
      return false if fact.nil? || fact.value.nil?

      value = folded(fact.value)
      # The block is asked with the fact in small letters, and as it is.
      return called { @block.call(value) || @block.call(fact.value) } if @block

      @values.any? { |expected| folded(expected) === value }
    end

    private

    def called
      yield ? true : false
    rescue StandardError => e
      Facter.tell('debug', 'LegacyFacter::Util::Confine', "Confine raised #{e.class} #{e}")
      false
    end

    def folded(value)
      value = value.to_s if value.is_a?(Symbol)
      value.is_a?(String) ? value.downcase : value
    end
  end

  # What simple and aggregate resolutions have in common.
  class AnyResolution
    attr_accessor :name, :timeout
    attr_reader :fact, :confines, :fact_type, :file

    def initialize(name, fact, file = nil)
      @name = name
      @fact = fact
      @file = file
      @confines = []
      @timeout = 0
      @fact_type = :custom
    end

    def has_weight(weight)
      @weight = weight
      self
    end

    def weight
      @weight || @confines.length
    end

    def confine(confines = nil, &block)
      if confines.is_a?(Hash)
        confines.each { |fact, values| @confines << Confine.new(fact, *values) }
      elsif block
        @confines << Confine.new(*confines, &block)
      end
    end

    def suitable?
      @confines.all?(&:true?)
    end

    def limit
      @timeout || 0
    end

    def on_flush(&block)
      @on_flush = block
    end

    def flush
      @on_flush&.call
    end

    def options(options)
      unknown = options.keys - self.class::OPTIONS
      raise ArgumentError, "Invalid #{self.class::KIND} options #{unknown.inspect}" unless unknown.empty?

      options.each { |option, value| instance_variable_set("@#{option}", value) }
    end

    def evaluate(&block)
      instance_eval(&block)
    end

    def value
      found = Timeout.timeout(@timeout || 0) { resolve_value }
      Normal.of(found)
    rescue Timeout::Error => e
      Facter.log_exception(e, "Timed out after #{@timeout || 0} seconds while resolving #{qualified_name}")
    rescue Normal::Error => e
      Facter.log_exception(e, "Fact resolution #{qualified_name} resolved to an invalid value: #{e.message}")
    rescue StandardError => e
      Facter.log_exception(e, "Error while resolving custom fact #{qualified_name}: #{e.message}")
      raise ResolveCustomFactError
    end

    private

    def qualified_name
      "fact='#{@fact.name}', resolution='#{@name || '<anonymous>'}'"
    end
  end

  module Util
    # A resolution by a block or a command.
    class Resolution < AnyResolution
      OPTIONS = %i[name value timeout weight fact_type file is_env].freeze
      KIND = 'resolution'

      attr_accessor :code
      attr_writer :value

      class << self
        def exec(command)
          Core::Execution.exec(command)
        end

        def which(program)
          Core::Execution.which(program)
        end

        def with_env(values, &block)
          Core::Execution.with_env(values, &block)
        end
      end

      def resolution_type
        :simple
      end

      def setcode(command = nil, &block)
        raise ArgumentError, 'You must pass either code or a block' unless command || block

        @code = command ? -> { said(command) } : block
        self
      end

      private

      def said(command)
        output = Core::Execution.execute(command, on_fail: nil)
        output unless output.nil? || output.empty?
      end

      def resolve_value
        @value.nil? ? @code&.call : @value
      end
    end
  end

  module Core
    # A resolution that is put together of chunks.
    class Aggregate < AnyResolution
      OPTIONS = %i[name timeout weight fact_type].freeze
      KIND = 'aggregate'

      class DependencyError < StandardError; end
      class MissingVertex < StandardError; end

      def initialize(name, fact, file = nil)
        super
        @chunks = {}
        @needs = {}
      end

      def resolution_type
        :aggregate
      end

      def chunk(name, options = {}, &block)
        raise ArgumentError, "#{self.class.name}#chunk requires a block" unless block
        raise ArgumentError, "#{self.class.name}#expected chunk name to be a Symbol" unless name.is_a?(Symbol)

        unknown = options.keys - [:require]
        unless unknown.empty?
          raise ArgumentError, "Unexpected options passed to #{self.class.name}#chunk: #{unknown.inspect}"
        end

        @needs[name] = Array(options[:require])
        @chunks[name] = block
        self
      end

      def aggregate(&block)
        raise ArgumentError, "#{self.class.name}#aggregate requires a block" unless block

        @aggregate = block
        self
      end

      private

      def resolve_value
        results = {}
        order.each { |name| results[name] = frozen(@chunks[name].call(*@needs[name].map { |need| results[need] })) }
        return @aggregate.call(results) if @aggregate

        merged(results)
      end

      def merged(results)
        results.values.inject { |left, right| merge(left, right, []) }
      rescue TypeError => e
        raise ArgumentError, "Could not deep merge all chunks (Original error: #{e.message}), ensure that chunks return " \
                             'either an Array or Hash or override the aggregate block'
      end

      # The names of the chunks, each after those that it needs.
      def order
        missing = @needs.values.flatten.uniq - @needs.keys
        unless missing.empty?
          raise MissingVertex, "Cannot sort elements; cannot depend on missing elements #{missing}"
        end

        left = @needs.keys
        sorted = []
        until left.empty?
          ready = left.find { |name| (@needs[name] - sorted).empty? }
          raise DependencyError, "Could not order chunks; found the following dependency cycles: #{[left]}" unless ready

          sorted << left.delete(ready)
        end
        sorted
      end

      def frozen(value)
        case value
        when Hash then value.to_h { |key, inner| [frozen(key), frozen(inner)] }.freeze
        when Array then value.map { |inner| frozen(inner) }.freeze
        when String then value.dup.freeze
        when Numeric, Symbol, true, false, nil then value
        else raise "Cannot deep freeze #{value}:#{value.class}"
        end
      end

      def merge(left, right, path)
        if left.is_a?(Hash) && right.is_a?(Hash)
          left.merge(right) { |key, one, other| merge(one, other, path + [key]) }
        elsif left.is_a?(Array) && right.is_a?(Array)
          left + right
        elsif left.nil? || right.nil?
          left.nil? ? right : left
        else
          place = path.empty? ? '' : " at root#{path.map { |part| "[#{part.inspect}]" }.join}"
          raise TypeError, "Cannot merge #{left.inspect}:#{left.class} and #{right.inspect}:#{right.class}#{place}"
        end
      end
    end
  end

  # Values that facts may have.
  module Normal
    class Error < StandardError; end

    KINDS = '[Integer, Float, TrueClass, FalseClass, NilClass, Symbol, String, Array, Hash, Date, Time]'

    module_function

    def of(value)
      case value
      when Integer, Float then number(value)
      when true, false, nil, Symbol then value
      when String then text(value)
      when Array then value.map { |inner| of(inner) }
      when Hash then value.to_h { |key, inner| [of(key), of(inner)] }
      else dated(value)
      end
    end

    # Puppet has integers of 64 bits; what is beyond them is a floating-point number, as in external facts.
    def number(value)
      value = value.to_f if value.is_a?(Integer) && value.bit_length > 63
      return value unless value.is_a?(Float) && !value.finite?

      raise Error, "Expected #{value} to be a finite number"
    end

    def dated(value)
      return value.iso8601 if %w[Date DateTime Time].include?(value.class.name)

      raise Error, "Expected #{value} to be one of #{KINDS}, but was #{value.class}"
    end

    def text(value)
      encoded = value.encode(Encoding::UTF_8)
      unless encoded.valid_encoding?
        raise Error, "String #{value.inspect} doesn't match the reported encoding #{value.encoding}"
      end
      if encoded.include?("\0")
        raise Error, "String #{value.inspect} contains a null byte reference; unsupported for all facts."
      end

      encoded
    rescue EncodingError
      raise Error, "String encoding #{value.encoding} is not UTF-8 and could not be converted to UTF-8"
    end
  end
end
