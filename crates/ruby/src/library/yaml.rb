# Psych beyond plain data: nodes, coders, and objects of classes.

module Psych
  VERSION = '4.0.3'
  LIBYAML_VERSION = '0.2.5'

  class SyntaxError
    attr_reader :file, :line, :column, :offset, :problem, :context

    def initialize(file = nil, line = 0, column = 0, offset = 0, problem = nil, context = nil)
      parts = [problem, context].compact.join(' ')
      super("(#{file || '<unknown>'}): #{parts} at line #{line} column #{column}")
      @file, @line, @column, @offset, @problem, @context = file, line, column, offset, problem, context
    end
  end

  class Omap < ::Hash; end
  class Set < ::Hash; end

  # What `encode_with` and `init_with` are given.
  class Coder
    attr_accessor :tag, :style, :implicit, :object
    attr_reader :type, :seq

    def initialize(tag)
      @map, @seq, @implicit, @type, @tag, @style, @scalar, @object = {}, [], false, :map, tag, 1, nil, nil
    end

    def scalar(*args)
      return @scalar if args.empty?

      @tag, @scalar, @style = args
      @type = :scalar
    end

    def scalar=(value)
      @type = :scalar
      @scalar = value
    end

    def map(tag = @tag, style = @style)
      @tag = tag
      @style = style
      yield self if block_given?
      @map
    end

    def map=(map)
      @type = :map
      @map = map
    end

    def seq=(list)
      @type = :seq
      @seq = list
    end

    def represent_scalar(tag, value)
      @tag = tag
      self.scalar = value
    end

    def represent_seq(tag, list)
      @tag = tag
      self.seq = list
    end

    def represent_map(tag, map)
      @tag = tag
      self.map = map
    end

    def represent_object(tag, object)
      @tag = tag
      @type = :object
      @object = object
    end

    def []=(key, value)
      @type = :map
      @map[key] = value
    end
    alias add []=

    def [](key)
      @type = :map
      @map[key]
    end
  end

  module Nodes
    class Node
      include Enumerable
      attr_accessor :tag, :anchor, :children

      def initialize(children = [], anchor = nil, tag = nil)
        @children, @anchor, @tag = children, anchor, tag
      end

      def each(&block)
        return enum_for(:each) unless block

        block.call(self)
        (children || []).each { |child| child.each(&block) }
      end

      def to_ruby(symbolize_names: false, freeze: false)
        Psych.__value(__text, symbolize_names, freeze)
      end
      alias transform to_ruby

      def to_yaml(*)
        __text
      end
      alias yaml to_yaml

      %w[alias document mapping scalar sequence stream].each do |kind|
        define_method("#{kind}?") { self.class.name.split('::').last.downcase == kind }
      end
    end

    class Stream < Node; end

    class Document < Node
      def root
        children.first
      end
    end

    class Sequence < Node; end
    class Mapping < Node; end

    class Scalar < Node
      attr_accessor :value, :quoted, :plain

      def initialize(value = '', anchor = nil, tag = nil, quoted = false)
        super(nil, anchor, tag)
        @value, @quoted, @plain = value, quoted, !quoted
      end
    end

    class Alias < Node; end

    class Node
      # The text that the nodes below were read from says the same again.
      def __text
        Psych.__write(__parts)
      end

      def __parts
        case self
        when Stream, Document then children.first&.__parts
        when Alias then [:alias, anchor]
        when Scalar then [:scalar, anchor, tag, value, quoted]
        else [is_a?(Sequence) ? :sequence : :mapping, anchor, tag, children.map(&:__parts)]
        end
      end
    end
  end

  class << self
    def load_file(path, **options)
      File.open(path, 'r:bom|utf-8') { |file| load(file, filename: path, **options) }
    end

    def safe_load_file(path, **options)
      File.open(path, 'r:bom|utf-8') { |file| safe_load(file, filename: path, **options) }
    end

    def unsafe_load_file(path, **options)
      File.open(path, 'r:bom|utf-8') { |file| unsafe_load(file, filename: path, **options) }
    end

    def parse(text, filename: nil)
      document = __nodes(text, filename, false).first
      document ? __document(document) : false
    end

    def parse_file(path, fallback: false)
      File.open(path, 'r:bom|utf-8') { |file| parse(file, filename: path) } || fallback
    end

    def parse_stream(text, filename: nil, &block)
      documents = __nodes(text, filename, true).map { |document| __document(document) }
      return documents.each(&block) if block

      Nodes::Stream.new(documents)
    end

    def dump_stream(*objects)
      objects.map { |object| dump(object) }.join
    end

    def safe_dump(object, io = nil, options = {})
      options, io = io, nil if io.is_a?(::Hash)
      allowed = [TrueClass, FalseClass, NilClass, Integer, Float, String, Array, ::Hash] + Array(options[:permitted_classes])
      __check_dump(object, allowed, Array(options[:permitted_symbols]))
      io ? dump(object, io, **options) : dump(object, **options)
    end

    def to_json(object)
      require 'json'
      "#{JSON.generate(object)}\n"
    end

    def libyaml_version
      [0, 2, 5]
    end

    def __document(parts)
      Nodes::Document.new([__node(parts)])
    end

    def __node(parts)
      kind, anchor, tag, content, quoted = parts
      case kind
      when :alias then Nodes::Alias.new(nil, anchor)
      when :scalar then Nodes::Scalar.new(content, anchor, tag, quoted)
      when :sequence then Nodes::Sequence.new(content.map { |it| __node(it) }, anchor, tag)
      else Nodes::Mapping.new(content.map { |it| __node(it) }, anchor, tag)
      end
    end

    def __check_dump(object, classes, symbols)
      unless classes.include?(object.class)
        raise DisallowedClass, "Tried to dump unspecified class: #{object.class.name || object.class.inspect}"
      end
      case object
      when Symbol
        raise DisallowedClass, "Tried to dump unspecified class: Symbol(#{object.inspect})" unless symbols.include?(object)
      when ::Array then object.each { |it| __check_dump(it, classes, symbols) }
      when ::Hash
        object.each do |key, value|
          __check_dump(key, classes, symbols)
          __check_dump(value, classes, symbols)
        end
      end
    end

    # What is written of an object: how, its tag and its parts.
    def __describe(object)
      return __describe_coder(object) if object.respond_to?(:encode_with)

      name = object.class.name
      case object
      when Class, Module
        kind = object.is_a?(Class) ? 'class' : 'module'
        raise TypeError, "can't dump anonymous #{kind}: #{object}" unless object.name

        [:quoted, "!ruby/#{kind}", object.name]
      when ::String
        [:map, "!ruby/string#{":#{name}" unless object.instance_of?(::String)}",
         [['str', ::String.new(object)]] + __variables(object)]
      when ::Array then __describe_array(object, name)
      when Omap then [:list, 'tag:yaml.org,2002:omap', object.map { |key, value| { key => value } }]
      when Psych::Set then [:map, '!set', object.to_a]
      when ::Hash
        if object.instance_variables.any?
          variables = object.instance_variables.to_h { |it| [it.to_s, object.instance_variable_get(it)] }
          [:map, "!ruby/hash-with-ivars:#{name}", [['ivars', variables], ['elements', {}.merge(object)]]]
        else
          [:map, "!ruby/hash:#{name}", object.to_a]
        end
      when Range then [:map, '!ruby/range', [['begin', object.begin], ['end', object.end], ['excl', object.exclude_end?]]]
      when Regexp then [:plain, '!ruby/regexp', object.inspect]
      when Time then [:plain, nil, object.strftime(object.utc? ? '%Y-%m-%d %H:%M:%S.%9N Z' : '%Y-%m-%d %H:%M:%S.%9N %:z')]
      when Encoding then [:plain, '!ruby/encoding', object.name]
      when Exception
        [:map, "!ruby/exception:#{name}",
         [['message', object.message.to_s], ['backtrace', object.backtrace]] + __variables(object)]
      when Struct then [:map, ['!ruby/struct', object.class.name].compact.join(':'), object.members.map { |it| [it.to_s, object[it]] } + __variables(object)]
      when Enumerator then [:list, nil, object.to_a]
      else __describe_rare(object, name)
      end
    end

    def __describe_rare(object, name)
      case name
      when 'Date' then [:plain, nil, object.to_s]
      when 'DateTime'
        form = object.offset.zero? ? '%Y-%m-%d %H:%M:%S.%9N Z' : '%Y-%m-%d %H:%M:%S.%9N %:z'
        [:plain, '!ruby/object:DateTime', object.strftime(form)]
      when 'BigDecimal' then [:plain, '!ruby/object:BigDecimal', object._dump]
      when 'Rational'
        [:map, '!ruby/object:Rational', [['denominator', object.denominator], ['numerator', object.numerator]]]
      when 'Complex' then [:map, '!ruby/object:Complex', [['real', object.real], ['image', object.imaginary]]]
      when 'Set' then [:map, '!ruby/object:Set', [['hash', object.to_a.to_h { |it| [it, true] }]]]
      when 'Proc', 'Method', 'UnboundMethod', 'IO', 'Binding', 'Thread'
        raise TypeError, "allocator undefined for #{name}" unless name == 'Proc'

        [:map, '!ruby/object:Proc', []]
      else
        raise TypeError, "can't dump anonymous class: #{object.class}" unless name

        [:map, object.instance_of?(Object) ? '!ruby/object' : "!ruby/object:#{name}", __variables(object)]
      end
    end

    def __describe_array(object, name)
      return [:list, "!ruby/array:#{name}", ::Array.new(object)] if object.instance_variables.empty?

      variables = object.instance_variables.to_h { |it| [it.to_s, object.instance_variable_get(it)] }
      [:map, "!ruby/array:#{name}", [['internal', ::Array.new(object)], ['ivars', variables]]]
    end

    def __describe_coder(object)
      coder = Coder.new(object.instance_of?(Object) ? '!ruby/object' : "!ruby/object:#{object.class.name}")
      object.encode_with(coder)
      case coder.type
      when :scalar then [coder.tag ? :plain : :text, coder.tag, coder.scalar]
      when :seq then [:list, coder.tag, coder.seq]
      when :object then [:value, nil, coder.object]
      else [:map, coder.tag, coder.map.to_a]
      end
    end

    def __variables(object)
      object.instance_variables.map { |it| [it.to_s.sub(/\A@/, ''), object.instance_variable_get(it)] }
    end

    # The object that a tag asks for.
    def __revive(kind, klass, text, data)
      case kind
      when :string then klass.allocate.replace(text)
      when :decimal then BigDecimal._load(text)
      when :complex then Complex(text)
      when :rational then Rational(text)
      when :encoding then Encoding.find(text)
      when :regexp then __regexp(text)
      when :date then require('date') && Date.strptime(text, '%F') || Date.strptime(text, '%F')
      when :time then __time(text)
      when :date_time
        require 'date'
        __time(text).to_datetime
      when :list then data.each_with_object(klass.allocate) { |it, list| list << it }
      when :filled then __fill(klass, data, text)
      else __revive_pairs(kind, klass, text, data)
      end
    end

    def __revive_pairs(kind, klass, tag, pairs)
      case kind
      when :range
        parts = pairs.to_h
        klass.new(parts['begin'], parts['end'], parts['excl'])
      when :struct
        return Struct.new(*pairs.map { |key, _| key.to_sym }).new(*pairs.map(&:last)) if klass == Struct

        members, others = pairs.partition { |key, _| klass.members.include?(key.to_sym) }
        object = klass.allocate
        members.each { |key, value| object[key] = value }
        __fill(object, others.to_h, tag)
      when :exception
        parts = pairs.to_h
        error = klass.allocate
        message = parts.delete('message')
        error.send(:initialize, message) rescue error
        error.set_backtrace(parts.delete('backtrace')) if parts.key?('backtrace')
        __fill(error, parts, tag)
      when :text
        parts = pairs.to_h
        value = parts.delete('str')
        value = klass.allocate.replace(value) if klass
        __fill(value, parts, tag)
      when :ordered then pairs.each_with_object(Omap.new) { |(key, value), map| map[key] = value }
      when :set, :hash then pairs.each_with_object(klass.allocate) { |(key, value), map| map[key] = value }
      when :array
        parts = pairs.to_h
        list = klass.allocate.replace(parts['internal'])
        parts['ivars'].each { |name, value| list.instance_variable_set(name, value) }
        list
      when :hash_with_variables
        parts = pairs.to_h
        map = klass ? klass.allocate : {}
        map.merge!(parts['elements'] || {})
        (parts['ivars'] || {}).each { |name, value| map.instance_variable_set(name, value) }
        map
      else
        object = klass.allocate
        return __fill(object, pairs.to_h, tag) if object.respond_to?(:init_with)
        raise ArgumentError, "Cannot deserialize #{klass}" unless object.respond_to?(:marshal_load)

        object.marshal_load(pairs.flatten(1))
        object
      end
    end

    def __fill(object, parts, tag)
      if object.respond_to?(:init_with)
        coder = Coder.new(tag)
        coder.map = parts
        object.init_with(coder)
      elsif defined?(::Set) && object.is_a?(::Set) && parts['hash']
        object.merge(parts['hash'].keys)
      else
        parts.each { |name, value| object.instance_variable_set("@#{name}", value) }
      end
      object
    end

    def __regexp(text)
      source, letters = text.match(%r{\A/(.*)/([mixn]*)\z}m)&.captures
      options = 0
      letters.to_s.each_char do |letter|
        options |= { 'x' => Regexp::EXTENDED, 'i' => Regexp::IGNORECASE, 'm' => Regexp::MULTILINE }.fetch(letter, 0)
      end
      Regexp.new(source, options)
    end

    def __time(text)
      date, rest = text.split(/[ tT]+/, 2)
      year, month, day = date.split('-').map(&:to_i)
      clock, fraction, zone = rest.match(/(\d+:\d+:\d+)(?:\.(\d*))?\s*(Z|[-+]\d+:?\d*)?/).captures
      hour, minute, second = clock.split(':').map(&:to_i)
      micro = fraction ? Rational("0.#{fraction}0") * 1_000_000 : 0
      time = Time.utc(year, month, day, hour, minute, second, micro)
      return time if zone == 'Z'
      return Time.at(time.to_i, micro) unless zone

      hours, minutes = zone.delete('-+').match(/(\d+?):?(\d\d)?\z/).captures.map(&:to_i)
      hours, minutes = zone.to_i.abs, 0 if zone.match?(/\A[-+]\d{1,2}\z/)
      offset = (hours * 3600 + minutes * 60) * (zone.start_with?('-') ? -1 : 1)
      Time.at((time - offset).to_i, micro)
    end
  end
end
