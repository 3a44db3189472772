# frozen_string_literal: true

# Functions written in Ruby, of the old kind (`newfunction`) and the new (`create_function`). The shim only describes
# the dispatches of a function; choosing one by data types is the compiler's work.

module Bunraku
  LOOKUPS = %w[lookup hiera hiera_array hiera_hash].freeze
  NOT_FOUND = 'bunraku-not-found'

  class << self
    attr_accessor :described

    # Calls a function of the compiler.
    def call_function(name, arguments, kind = 'call_function', &block)
      arguments = [*arguments]
      return look_up(name.to_s, arguments, kind) if LOOKUPS.include?(name.to_s) && !block

      ask(kind, name.to_s, arguments, &block)
    end

    # A symbol is no value of the language, but often the default of a lookup: it tells that nothing was found.
    def look_up(name, arguments, kind)
      *keys, last = arguments
      default = last.is_a?(Hash) ? last['default_value'] : last
      return ask(kind, name, arguments) unless default.is_a?(Symbol) && default != :undef

      last = last.is_a?(Hash) ? last.merge('default_value' => NOT_FOUND) : NOT_FOUND
      found = ask(kind, name, [*keys, last])
      found == NOT_FOUND ? default : found
    end

    # A function by the name it has as a method of the scope: there, those of the old kind go first.
    def call_scope_function(name, arguments, &block)
      call_function(name, arguments, 'call_legacy_function', &block)
    end
  end

  # A function of the old kind: its block runs with the scope as `self`.
  class Function3x
    def initialize(name, options, block)
      @name = name.to_s
      @arity = options[:arity] || -1
      @rvalue = options[:type] == :rvalue
      @doc = options[:doc].to_s
      # A method, because the block may use `return`.
      @scope = Class.new(Puppet::Parser::Scope) { define_method(:real_function, &block) }
    end

    def description
      { 'kind' => '3x', 'name' => @name, 'arity' => @arity, 'rvalue' => @rvalue, 'doc' => @doc }
    end

    # Ruby code hands its values on as they are.
    def call(_dispatch, arguments, is_by_ruby)
      arguments = arguments.map { |argument| Values.for_3x(argument) } unless is_by_ruby
      result = @scope.new.real_function(arguments)
      @rvalue ? Values.from_3x(result) : nil
    end
  end

  # A function of the new kind: a class with a method for each dispatch.
  class Function4x
    attr_reader :dispatches, :local_types

    def initialize(name, base, block)
      @name = name.to_s
      @dispatches = []
      @local_types = []
      function = self
      function_name = @name
      @class = Class.new(base) do
        define_singleton_method(:function) { function }
        define_singleton_method(:name) { function_name }
        class_eval(&block)
      end
      add_default_dispatch if @dispatches.empty?
    end

    def description
      { 'kind' => '4x', 'name' => @name, 'local_types' => @local_types, 'own_call' => own_call?,
        'dispatches' => @dispatches.map(&:description) }
    end

    # Whether the function chooses the dispatch itself.
    def own_call?
      @class.method_defined?(:call, false)
    end

    def call(index, arguments, _is_by_ruby, &block)
      scope = Puppet::Parser::Scope.new
      instance = @class.new(Puppet::Parser::TopScope.new, nil)
      index ? run(instance, index, arguments, &block) : instance.call(scope, *arguments, &block)
    end

    # What `self.class.dispatcher.dispatch` does inside of a function: the compiler chooses.
    def dispatch(instance, _scope, arguments, &block)
      shown = arguments.map { |argument| argument.is_a?(Puppet::Parser::Scope) ? nil : argument }
      run(instance, Bunraku.ask('dispatch', *shown), arguments, &block)
    end

    def run(instance, index, arguments, &block)
      dispatch = @dispatches.fetch(index)
      instance.send(dispatch.method_name, *dispatch.weave(arguments), &block)
    end

    private

    def add_default_dispatch
      simple_name = @name.split('::').last
      unless @class.method_defined?(simple_name)
        raise ::ArgumentError, "Function Creation Error, cannot create a default dispatcher for function " \
                               "'#{simple_name}', no method with this name found"
      end
      dispatch = Dispatch.new(simple_name, false)
      kinds = { req: 'required', opt: 'optional', rest: 'repeated' }
      @class.instance_method(simple_name).parameters.each do |kind, name|
        dispatch.add('Any', name || :args, kinds[kind]) if kinds.key?(kind)
      end
      @dispatches << dispatch
    end
  end

  # The declaration of one signature of a function.
  class Dispatch
    attr_reader :method_name

    def initialize(method_name, mismatch)
      @method_name = method_name
      @mismatch = mismatch
      @parameters = []
      @weaving = []
    end

    def add(type, name, kind)
      raise ::ArgumentError, 'Parameters cannot be added after a block parameter' if @block
      if @parameters.last && @parameters.last['kind'].include?('repeated')
        raise ::ArgumentError, 'Parameters cannot be added after a repeated parameter'
      end
      if kind.start_with?('required') && @parameters.any? { |parameter| parameter['kind'] == 'optional' }
        raise ::ArgumentError, 'A required parameter cannot be added after an optional parameter'
      end

      @weaving << (kind.include?('repeated') ? :rest : :one)
      @parameters << { 'type' => type.to_s, 'name' => name.to_s, 'kind' => kind }
    end

    def param(type, name)
      add(type, name, 'required')
    end
    alias required_param param

    def optional_param(type, name)
      add(type, name, 'optional')
    end

    def repeated_param(type, name)
      add(type, name, 'repeated')
    end
    alias optional_repeated_param repeated_param

    def required_repeated_param(type, name)
      add(type, name, 'required_repeated')
    end

    def block_param(*type_and_name)
      raise ::ArgumentError, 'Attempt to redefine block' if @block

      name = type_and_name.pop || :block
      @block = { 'type' => (type_and_name.first || 'Callable').to_s, 'name' => name.to_s, 'optional' => false }
    end
    alias required_block_param block_param

    def optional_block_param(*type_and_name)
      block_param(*type_and_name)
      @block['optional'] = true
    end

    def return_type(type)
      @return_type = type.to_s
    end

    def scope_param
      @weaving << :scope
    end

    %i[cache_param compiler_param pal_compiler_param script_compiler_param].each do |name|
      define_method(name) { @weaving << :nothing }
    end

    def description
      { 'method' => @method_name.to_s, 'mismatch' => @mismatch, 'parameters' => @parameters, 'block' => @block,
        'return_type' => @return_type }
    end

    # The arguments of the method: those given, with the injected ones in between.
    def weave(arguments)
      return arguments if @weaving.all? { |kind| kind == :one || kind == :rest }

      arguments = arguments.dup
      @weaving.each_with_object([]) do |kind, woven|
        case kind
        when :scope then woven << Puppet::Parser::Scope.new
        when :nothing then woven << nil
        when :rest then woven.concat(arguments.slice!(0..))
        else woven << arguments.shift unless arguments.empty?
        end
      end
    end
  end
end

module Puppet
  module Functions
    # The class that functions are derived from.
    class Function
      class << self
        def dispatch(method_name, &block)
          add_dispatch(Bunraku::Dispatch.new(method_name, false), &block)
        end

        def argument_mismatch(method_name, &block)
          add_dispatch(Bunraku::Dispatch.new(method_name, true), &block)
        end

        def local_types(&block)
          builder = Object.new
          types = function_types
          builder.define_singleton_method(:type) { |text| types << text }
          builder.instance_eval(&block)
          types.each do |text|
            name = text[/\A\s*([\w:]+)/, 1]
            define_method("type_#{name}") { Puppet::Pops::Types.named(name) }
          end
        end

        def loader
          nil
        end

        def dispatcher
          function
        end

        private

        def add_dispatch(dispatch, &block)
          dispatch.instance_eval(&block)
          function.dispatches << dispatch
        end

        def function_types
          function.local_types
        end
      end

      attr_reader :closure_scope, :loader

      def initialize(closure_scope, loader)
        @closure_scope = closure_scope
        @loader = loader
      end

      def call(scope, *arguments, &block)
        self.class.dispatcher.dispatch(self, scope, arguments, &block)
      end

      def call_function(name, *arguments, &block)
        closure_scope.call_function(name, arguments, &block)
      rescue Puppet::ParseError => e
        raise unless e.message == "Unknown function '#{name}'"

        raise ::ArgumentError, "Function #{self.class.name}(): Unknown function: '#{name}'"
      end
    end

    # Functions that are given the scope.
    class InternalFunction < Function
      def call_function_with_scope(scope, name, *arguments, &block)
        scope.call_function(name, arguments, &block)
      end
    end

    def self.create_function(name, base = Function, &block)
      Bunraku.described << Bunraku::Function4x.new(name, base, block)
    rescue StandardError => e
      raise ::ArgumentError, "Function Load Error for function '#{name}': #{e.message}"
    end

    def self.create_loaded_function(name, _loader, base = Function, &block)
      create_function(name, base, &block)
    end
  end

  module Pops
    module Functions
      Function = Puppet::Functions::Function
    end

    module Lookup
      # What a Hiera backend is given to talk with lookup.
      class Context < Bunraku::Opaque
        OBJECT = 'bunraku-object-'
        @@files = {}
        # What cannot leave this process is remembered here; the compiler remembers a token in its place.
        @@objects = {}

        def not_found
          throw :no_such_key, :no_such_key
        end

        def explain
          tell('explain', yield.to_s) if tell('is_explaining')
          nil
        end

        def cached_file_data(path)
          status = File.stat(path)
          stamp = [status.mtime, status.size, status.ino]
          known = @@files[path]
          return known.last if known && known.first == stamp

          content = File.binread(path).force_encoding('UTF-8')
          data = block_given? ? yield(content) : content
          @@files[path] = [stamp, data]
          data
        end

        def cache(key, value)
          tell('cache', key, portable(value))
          value
        end

        def cache_all(entries)
          tell('cache_all', entries.transform_values { |value| portable(value) })
        end

        def cache_has_key(key)
          tell('cache_has_key', key) && !lost?(tell('cached_value', key))
        end

        def cached_value(key)
          recall(tell('cached_value', key))
        end

        def cached_entries(&block)
          entries = tell('cached_entries').reject { |_, value| lost?(value) }.to_h.transform_values { |value| recall(value) }
          return entries.each unless block

          entries.each { |key, value| block.arity == 2 ? yield(key, value) : yield([key, value]) }
          nil
        end

        def interpolate(value)
          tell('interpolate', value)
        end

        def environment_name
          tell('environment_name').to_sym
        end

        def module_name
          tell('module_name')
        end

        private

        def tell(method, *arguments)
          Bunraku.ask('context', self, method, arguments)
        end

        def portable(value)
          Bunraku::Values.encode(value)
          value
        rescue Puppet::Error, Bunraku::NoValue
          token = "#{OBJECT}#{Process.pid}-#{@@objects.size}"
          @@objects[token] = value
          token
        end

        def recall(value)
          @@objects.fetch(value) { lost?(value) ? nil : value }
        end

        # Remembered by a helper that has ended since.
        def lost?(value)
          value.is_a?(String) && value.start_with?(OBJECT) && !@@objects.key?(value)
        end
      end
    end
  end

  module DataBinding
    class LookupError < Puppet::Error; end

    class RecursiveLookupError < LookupError; end
  end

  module Parser
    module Functions
      Error = Class.new do
        def self.is4x(name)
          raise Puppet::ParseError, "#{name}() can only be called using the 4.x function API. See Scope#call_function"
        end
      end

      # Loads nothing: the compiler finds functions when they are called.
      module Autoloader
        def self.load(*)
          true
        end
        singleton_class.alias_method :loadall, :load
        singleton_class.alias_method :loaded?, :load
      end

      def self.newfunction(name, options = {}, &block)
        Bunraku.described << Bunraku::Function3x.new(name, options, block)
        options.merge(:name => "function_#{name}")
      end

      # Functions of the old kind that Puppet brings along, those included that refuse to be called so.
      OWN = (Puppet::LEVELS.map(&:to_s) + Puppet::Parser::Scope::NEW_ONLY + %w[
        contain create_resources digest fail file fqdn_rand generate include inline_template md5 realize require scanf
        sha1 sha256 shellquote sprintf tag tagged template versioncmp
      ]).freeze

      def self.function(name, _environment = nil)
        name = name.to_s
        OWN.include?(name) || Bunraku.ask('has_legacy_function', name) ? "function_#{name}" : false
      end

      def self.rvalue?(_name, _environment = nil)
        true
      end

      def self.autoloader
        Autoloader
      end
    end
  end
end

module Bunraku
  # Errors of the compiler, which takes them back unchanged if nobody rescues them.
  module CompilerError
    attr_accessor :number

    def self.of(reply)
      error = reply['data'] ? Puppet::DataBinding::LookupError.new(reply['error']) : evaluation_error(reply)
      error.extend(CompilerError)
      error.number = reply['number']
      error
    end

    def self.evaluation_error(reply)
      kind = reply['number'] ? Puppet::PreformattedError : Puppet::ParseError
      kind.new(reply['error'], reply['file'], reply['line'])
    end
  end
end
