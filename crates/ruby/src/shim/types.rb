# frozen_string_literal: true

# Data types as Ruby code meets them: the compiler knows the rules, so questions about them go there.

module Puppet
  module Pops
    module Types
      # A data type by its text.
      class PAnyType < Bunraku::Opaque
        def name
          to_s[/\A[\w:]+/]
        end

        def simple_name
          name.split('::').last
        end

        def instance?(value, _guard = nil)
          Bunraku.ask('is_instance', self, value)
        end

        def assignable?(other, _guard = nil)
          Bunraku.ask('call_function', 'bunraku::is_assignable', [self, other])
        end

        def create(*arguments)
          Bunraku.ask('call_function', 'new', [self, *arguments])
        end
        alias new create
      end

      # Types that have elements: `Enum[a, b]`, `Integer[1, 3]`, and aliases of such.
      module Elements
        def each(&block)
          Bunraku.ask('call_function', 'new', [Types.named('Array'), self]).each(&block)
        end
      end

      # `Class[x]` and `File[x]`.
      class PCatalogEntryType < PAnyType
        def title
          to_s[/\A[\w:]+\[(.*)\]\z/m, 1]&.delete_prefix("'")&.delete_suffix("'")
        end
      end

      class PClassType < PCatalogEntryType
        alias class_name title
      end

      class PResourceType < PCatalogEntryType
        alias type_name name
      end

      # The types of the language, each with a class of its own as code may ask for it.
      BUILT_IN = %w[
        Array Binary Boolean Callable Collection Default Enum Float Hash Init Integer Iterable Iterator
        NotUndef Numeric Object Optional Pattern Regexp Runtime Scalar ScalarData SemVer SemVerRange Sensitive String
        Struct Timespan Timestamp Tuple Type TypeAlias TypeReference TypeSet Undef URI Variant
      ].to_h { |name| [name, const_set("P#{name}Type", Class.new(PAnyType))] }
      BUILT_IN.update('Class' => PClassType, 'Any' => PAnyType, 'Data' => PTypeAliasType, 'RichData' => PTypeAliasType)
      BUILT_IN.update('Error' => PObjectType, 'Deferred' => PObjectType)
      [PEnumType, PIntegerType, PTypeAliasType].each { |type| type.include(Elements) }

      class << self
        def of(data)
          text = data['__pvalue']
          known = text.match?(/\A[\w:]+ = /) ? PTypeAliasType : BUILT_IN[text[/\A[\w:]+/]]
          (known || (text.include?('[') ? PResourceType : PAnyType)).new(data)
        end

        def named(text)
          of('__ptype' => 'Type', '__pvalue' => text)
        end
      end

      class PSensitiveType
        # A value that is not shown.
        class Sensitive
          def initialize(value)
            @value = value
          end

          def unwrap
            @value
          end

          def to_s
            'Sensitive [value redacted]'
          end

          def inspect
            "#<#{self}>"
          end

          def ==(other)
            other.is_a?(Sensitive) && other.hash == hash
          end
          alias eql? ==

          def hash
            @value.hash
          end
        end
      end

      class PBinaryType
        # Bytes.
        class Binary
          attr_reader :binary_buffer

          def self.from_base64(text)
            new(text.unpack1('m'))
          end

          def self.from_string(text)
            new(text.encode('UTF-8').b)
          end

          def self.from_binary_string(bytes)
            new(bytes)
          end

          def initialize(bytes)
            @binary_buffer = bytes
          end

          def to_s
            [@binary_buffer].pack('m0')
          end

          def length
            @binary_buffer.length
          end

          def ==(other)
            other.is_a?(Binary) && other.binary_buffer == @binary_buffer
          end
          alias eql? ==

          def hash
            @binary_buffer.hash
          end
        end
      end

      # Reads the text of types.
      class TypeParser
        def self.singleton
          new
        end

        def parse(text, _loader = nil)
          Bunraku.ask('parse_type', text)
        end
      end

      # Answers questions about types and values.
      class TypeCalculator
        class << self
          def singleton
            self
          end

          def instance?(type, value)
            type.instance?(value)
          end

          def assignable?(left, right)
            left.assignable?(right)
          end

          def infer(value)
            Bunraku.ask('call_function', 'type', [value, 'reduced'])
          end

          def infer_set(value)
            Bunraku.ask('call_function', 'type', [value, 'detailed'])
          end

          def generalize(type)
            Bunraku.ask('call_function', 'bunraku::generalize', [type])
          end
        end
      end

      # Builds types by name.
      module TypeFactory
        class << self
          def method_missing(name, *arguments)
            type = Types.named(name.to_s.split('_').map(&:capitalize).join)
            return type if arguments.empty?

            TypeParser.singleton.parse("#{type}[#{arguments.map { |item| item.is_a?(String) ? item.inspect : item }.join(',')}]")
          end

          def respond_to_missing?(*)
            true
          end
        end
      end

      # Describes why a value does not fit.
      class TypeMismatchDescriber
        def self.singleton
          new
        end

        def describe_mismatch(name, expected, actual, *)
          Bunraku.ask('describe_mismatch', name, expected, actual)
        end

        def assert_type(subject, type, value, *)
          return value if type.instance?(value)

          raise Puppet::ParseError, describe_mismatch(subject, type, TypeCalculator.infer(value))
        end
        alias validate_type assert_type
      end

      # Anything that can be iterated over.
      module Iterable
        def self.asserted_iterable(caller, value, *)
          on(value) || raise(::ArgumentError, "#{caller.class}(): wrong argument type (#{value.class}; is not Iterable.")
        end

        def self.on(value, *)
          items = case value
                  when Array, Enumerator, Hash then value.each
                  when Integer then value.times
                  when String then value.each_char
                  end
          items&.define_singleton_method(:hash_style?) { value.is_a?(Hash) }
          items
        end
      end
    end

    module Time
      # Time as the compiler has it; arithmetic is the compiler's.
      class TimeData < Bunraku::Opaque
        include Comparable

        def <=>(other)
          Bunraku.ask('call_function', 'compare', [self, other])
        end

        def format(format)
          Bunraku.ask('call_function', 'strftime', [self, format])
        end
      end

      class Timespan < TimeData
        def to_f
          Bunraku.ask('call_function', 'new', [Types.named('Float'), self])
        end

        def to_i
          to_f.to_i
        end
      end

      class Timestamp < TimeData
        def self.now
          Bunraku.ask('call_function', 'new', [Types.named('Timestamp')])
        end

        def to_f
          Bunraku.ask('call_function', 'new', [Types.named('Float'), self])
        end

        def to_i
          to_f.to_i
        end

        def to_time
          ::Time.at(to_f).utc
        end
      end
    end

    module Loader
    end

    # Where Puppet code called this.
    module PuppetStack
      def self.stacktrace
        Bunraku.ask('stacktrace')
      end

      def self.top_of_stack
        stacktrace.first || []
      end
    end

    module Serialization
      # Values as plain data.
      module ToDataConverter
        def self.convert(value, *)
          Bunraku::Values.encode(value)
        end
      end
    end

    module Evaluator
      # Resource types by name, which is all that code does with them.
      module Runtime3ResourceSupport
        def self.find_resource_type_or_class(_scope, name)
          name
        end
        singleton_class.alias_method :find_resource_type, :find_resource_type_or_class
      end

      # Leaves a block early.
      class Next < StandardError; end
      class Return < StandardError; end
    end
  end
end

# Where the files of 4.x functions are evaluated: constants are looked up in this class and at the top, not in the modules
# around it.
class Puppet::Pops::Loader::RubyFunctionInstantiator
  def self.surroundings
    binding
  end
end
