# frozen_string_literal: true

# Facter as files with custom facts know it. `Facter.enter` tells what is known before: core facts, which a resolution
# with some weight takes the place of, and external facts, which have weights of their own.

module Facter
  # A fact that code asks for.
  class ResolvedFact
    attr_reader :name, :value

    def initialize(name, value)
      @name = name
      @value = value
    end
  end

  module Util
    # A custom fact with all ways to find it out.
    class Fact
      attr_reader :name, :options, :files, :used_resolution_weight

      def initialize(name, options = {})
        @name = name.to_s.downcase.to_sym
        @options = options
        @resolutions = []
        @files = []
        @used_resolution_weight = 0
      end

      def add(options = {}, &block)
        define_resolution(nil, options, &block)
      end

      def define_resolution(name, options = {}, &block)
        options = options.dup
        resolution = resolution_of(name, options.delete(:type) || :simple)
        resolution.options(options)
        resolution.evaluate(&block) if block
        resolution
      rescue StandardError => e
        Facter.tell('error', 'Facter::Util::Fact', "Unable to add resolve #{name.inspect} for fact '#{@name}': #{e.message}")
      end

      def resolution(name)
        @resolutions.find { |it| it.name == name } if name
      end

      def value
        return @value unless @value.nil?
        raise "Caught recursion on #{@name}" if @is_searching

        @is_searching = true
        begin
          @value = find
        ensure
          @is_searching = false
        end
      end

      def flush
        @resolutions.each(&:flush)
        @value = nil
      end

      # Forgets that somebody asks: the answer was left to someone else.
      def forget
        @is_searching = false
      end

      def drop(file)
        @files.delete(file)
        @resolutions.reject! { |resolution| resolution.file == file }
      end

      def give_up
        @resolutions.clear
      end

      private

      def resolution_of(name, kind)
        known = resolution(name)
        return known if known && known.resolution_type == kind
        if known
          raise ArgumentError, "Cannot return resolution #{name} with type #{kind}; " \
                               "already defined as #{known.resolution_type}"
        end

        made = { simple: Resolution, aggregate: Core::Aggregate }[kind]
        unless made
          raise ArgumentError, "Expected resolution type to be one of (:simple, :aggregate) but was #{kind}"
        end

        made.new(name, self, @files.last).tap { |resolution| @resolutions << resolution }
      end

      def find
        known, weight = Facter.known(@name.to_s)
        @resolutions.select(&:suitable?).each_with_index.sort_by { |it, at| [-it.weight, at] }.each do |resolution, _|
          # Of equal weights an external fact wins; a core fact has none.
          break if weight.positive? && resolution.weight <= weight

          value = resolution.value
          @used_resolution_weight = resolution.weight
          return @used_resolution_weight <= 0 && !known.nil? ? known : value unless value.nil?
        rescue ResolveCustomFactError
          break
        end
        known
      end
    end
  end

  @facts = {}
  @known = {}
  @weights = {}
  @messages = []

  class << self
    attr_reader :facts, :messages, :search_path

    # What is known before, and the weights of what is no core fact.
    def enter(known, weights, queries, version, debugging)
      @known = known
      @weights = weights
      @queries = queries
      @version = version
      @debugging = debugging
      @search_path = []
      @busy = []
      @searched = {}
    end

    # Loads a file with facts.
    def load_file(file)
      @file = file
      load(file)
    rescue ScriptError => e
      log_exception(e, "Error loading fact #{file}: #{e.message}")
    rescue StandardError => e
      log_exception(e, "error while resolving custom facts in #{file} #{e.message}")
    ensure
      @file = nil
    end

    # A value from elsewhere with its weight; a core fact has none.
    def known(name)
      [@known[name], @weights.fetch(name, 0)]
    end

    # The names of the custom facts that may answer what is asked for, and the files that define one.
    def names
      @facts.keys.select { |name| asked?(name) }
    end

    def files_of(name)
      @facts[name].files
    end

    # Forgets what a file has defined: somebody else loads it.
    def drop(file)
      @facts.each_value { |fact| fact.drop(file) }
      @facts.reject! { |_, fact| fact.files.empty? }
    end

    # A fact whose value cannot be found out.
    def give_up(name)
      @facts[name]&.give_up
    end

    # The value of a custom fact. While it is found out, it is on the list of those that are asked for.
    def find(name)
      fact = @facts[name]
      @busy << name
      value = fact.value
      @busy.pop
      value
    rescue StandardError
      @busy.pop
      raise
    end

    # The facts that were asked for when somebody left the code; they are asked for no longer.
    def left
      left = @busy
      @busy = []
      left.each { |name| @facts[name].forget }
      @searched.clear
      left
    end

    def add(name, options = {}, &block)
      fact = define_fact(name)
      fact&.add(options, &block)
      fact
    end

    def define_fact(name, options = {}, &block)
      key = name.to_s.downcase
      fact = @facts[key] ||= Util::Fact.new(key, options)
      fact.files.delete(@file)
      fact.files << @file if @file
      fact.instance_eval(&block) if block
      fact
    rescue StandardError => e
      log_exception(e)
    end

    def value(name)
      fact(name)&.value
    end

    # What was asked for once is known from then on, even that there is no value.
    def fact(name)
      name = name.to_s.downcase
      @searched[name] ||= search_for(name)
    end
    alias [] fact

    def search_for(name)
      return ResolvedFact.new(name, find(name)) if @facts.key?(name)
      return ResolvedFact.new(name, @known[name]) if @known.key?(name)

      first, *rest = name.split('.')
      if rest.empty? || !(@facts.key?(first) || @known.key?(first))
        Bunraku.unknown_fact(name)
        return
      end
      found = rest.reduce(@facts.key?(first) ? find(first) : @known[first]) { |value, key| part(value, key) }
      ResolvedFact.new(name, found) unless found.nil?
    end

    def to_hash
      @known.merge(@facts.to_h { |name, _| [name, find(name)] }).compact
    end

    def each(&block)
      to_hash.each(&block)
      self
    end

    def list
      to_hash.keys.sort
    end

    def core_value(name)
      first, *rest = name.to_s.split('.')
      rest.reduce(@known[first]) { |value, key| part(value, key) }
    end

    attr_reader :version

    def debugging?
      @debugging
    end

    def trace?
      false
    end

    def flush
      @facts.each_value(&:flush)
      @searched.clear
      nil
    end

    def search(*directories)
      @search_path += directories
      nil
    end

    %i[clear reset loadfacts search_external on_message debugging trace clear_messages load_external].each do |name|
      define_method(name) { |*| nil }
    end

    def search_external_path
      []
    end

    def tell(level, source, text)
      @messages << [level, source, text.to_s]
      nil
    end

    def warn(text)
      tell('warn', 'Facter', text)
    end

    def info(text)
      tell('info', 'Facter', text)
    end

    def debug(text)
      tell('debug', 'Facter', text)
    end

    def error(text)
      tell('error', 'Facter', text)
    end

    # What is said is said once anyway.
    alias warnonce warn
    alias debugonce debug

    def log_exception(exception, text = nil)
      message = text.to_s.empty? ? (exception.is_a?(Exception) ? exception.message : exception) : text
      tell('error', 'Facter', message)
    end

    # Compatibility: whatever else is called is an error and nothing comes of it.
    def method_missing(name, *arguments)
      tell('error', 'Facter', "--#{name}-- not implemented but required \nwith params: #{arguments.inspect}")
    end

    def respond_to_missing?(*)
      false
    end

    private :search_for

    private

    # Queries are names, paths in facts, or the beginnings of names with `.*` behind them.
    def asked?(name)
      @queries.empty? || @queries.any? do |query|
        start = query.delete_suffix('.*')
        query == name || query.start_with?("#{name}.") || name.start_with?(start == query ? "#{query}." : start)
      end
    end

    def part(value, key)
      case value
      when Hash then value[key]
      when Array then value[key.to_i] if key.match?(/\A\d+\z/)
      end
    end
  end
end
