# frozen_string_literal: true

# The scope that templates and functions see. Everything it knows, the compiler knows: each question goes there.

module Puppet
  module Parser
    class Scope
      UNDEFINED_KIND = 'undefined_variables'

      # Functions of the new kind that refuse to be called as methods of the scope.
      NEW_ONLY = %w[
        assert_type binary_file break defined dig each epp filter find_file hiera hiera_array hiera_hash hiera_include
        inline_epp lest lookup map match new next reduce regsubst return reverse_each slice split step strftime then
        type with
      ].freeze

      # Variables that are always there.
      BUILT_IN = %w[module_name caller_module_name].freeze
      # Compatibility: where functions of Puppet's own raise errors; messages about templates name the place.
      VENDOR = '/usr/lib/ruby/vendor_ruby/puppet'
      PLACES = { 'fail' => 'fail.rb:10', 'template' => 'template.rb:36' }.freeze

      def lookupvar(name, _options = {})
        unless name.is_a?(String)
          raise Puppet::ParseError, "Scope variable name #{name.inspect} is a #{name.class}, not a string"
        end

        return Bunraku.objects[key(name)] if Bunraku.objects.key?(key(name))

        found = ask('variable', name)
        return found['value'] if found['found']

        not_found(found['name'], found['reason'])
      end

      def [](name, options = {})
        lookupvar(name, options)
      end

      def include?(name)
        found = ask('variable', name)
        found['found'] && !found['value'].nil?
      end

      def exist?(name)
        ask('variable', name)['found']
      end
      alias bound? exist?

      def to_hash(_recursive = true, _include_undef = false)
        ask('variables')
      end

      def []=(name, value)
        setvar(name, value)
      end

      def setvar(name, value, _options = {})
        ask('set_variable', name, value)
        Bunraku.objects[key(name)] = value
      end

      def call_function(name, args, &block)
        here { Bunraku.call_function(name, args, &block) }
      end

      # The defaults of a resource type, as far as code asks for them.
      def lookupdefaults(type)
        defaults = Object.new
        defaults.define_singleton_method(:key?) { |name| Bunraku.ask('has_default', type, name.to_s) }
        defaults.singleton_class.alias_method :has_key?, :key?
        defaults
      end

      def catalog
        @catalog ||= Catalog.new
      end

      def compiler
        @compiler ||= Compiler.new
      end

      def environment
        Puppet::Node::Environment.current
      end

      def findresource(type, title = nil)
        catalog.resource(type, title)
      end

      # Functions of the old kind find the scope of everything by this name.
      def find_global_scope
        TopScope.new
      end

      def tags
        ask('tags')
      end

      def tagged?(*names)
        known = tags
        names.flatten.any? { |name| known.include?(name.to_s) }
      end

      def resource
        reference = ask('resource')
        catalog.resource(reference) || Puppet::Resource.new(reference)
      end

      def source
        type, name, module_name = ask('source')
        Struct.new(:type, :name, :module_name).new(type.to_sym, name, module_name)
      end

      def to_s
        "Scope(#{ask('resource')})"
      end
      alias inspect to_s

      Puppet::LEVELS.each { |level| define_method(level) { |message| call_function(level, [message]) } }

      def function_missing?(name)
        !Bunraku.ask('has_function', name)
      end

      # `function_name([…])` calls the function of that name.
      def method_missing(method, *args, &block)
        name = method.to_s
        return super unless name.start_with?('function_')

        name = name.delete_prefix('function_')
        return Puppet::Util::Package.versioncmp(*args.first) if name == 'versioncmp' && args.first.is_a?(Array)

        is_new_only = NEW_ONLY.include?(name)
        # A module may have one of the old kind.
        Functions::Error.is4x(name) if is_new_only && !Bunraku.ask('has_legacy_function', name)
        return super if function_missing?(name)
        unless args.first.is_a?(Array)
          raise ::ArgumentError, 'custom functions must be called with a single array that contains the arguments. ' \
                                 'For example, function_example([1]) instead of function_example(1)'
        end

        return ask('call_legacy_file', name, args.first) if is_new_only

        begin
          here { Bunraku.call_scope_function(name, args.first, &block) }
        rescue Puppet::Error => e
          place(e, name)
          raise
        end
      end

      def respond_to_missing?(method, all = false)
        name = method.to_s
        name.start_with?('function_') ? !function_missing?(name.delete_prefix('function_')) : super
      end

      private

      def ask(*question)
        here { Bunraku.ask(*question) }
      end

      def place(error, name)
        return if !PLACES.key?(name) || (name == 'template' && !error.message.start_with?('Failed to parse template'))

        error.set_backtrace(["#{VENDOR}/parser/functions/#{PLACES[name]}:in `#{name}'", *error.backtrace])
      end

      # What is asked in the block is asked from this scope.
      def here(&block)
        Bunraku.from_scope(&block)
      end

      # The name by which an object is remembered that cannot leave this process.
      def key(name)
        name
      end

      def not_found(name, reason)
        return if BUILT_IN.include?(name) || name.match?(/\A\d+\z/)

        throw(:undefined_variable, reason)
      rescue UncaughtThrowError
        message = "Undefined variable '#{name}'; #{reason}"
        case Puppet[:strict]
        when :error then raise ::ArgumentError, message
        when :warning then Puppet.warn_once(UNDEFINED_KIND, "Variable: #{name}", message)
        end
        nil
      end
    end

    # The top scope, over which functions of the new kind are closed.
    class TopScope < Scope
      private

      def here(&block)
        Bunraku.from_top(&block)
      end

      def key(name)
        "::#{name.delete_prefix('::')}"
      end
    end

    # The catalog so far.
    class Catalog
      def classes
        Bunraku.ask('classes')
      end

      def tags
        Bunraku.ask('tags')
      end

      def resource(type, title = nil)
        type, title = Puppet::Resource.type_and_title(type.to_s, title)
        parameters = Bunraku.ask('catalog_resource', type, title.to_s)
        parameters && Puppet::Resource.new(type, title, parameters: parameters)
      end
    end

    # What code reaches through `scope.compiler`.
    class Compiler
      def topscope
        TopScope.new
      end

      def catalog
        topscope.catalog
      end

      def environment
        topscope.environment
      end

      def node
        Struct.new(:name, :environment).new(topscope.lookupvar('::trusted').then { |t| t && t['certname'] }, environment)
      end
    end
  end
end
