# Options of commands.
class OptionParser
  class ParseError < RuntimeError
    attr_reader :args
    attr_accessor :reason

    def initialize(*args)
      @args = args
      super()
    end

    def message = "#{self.class::REASON}: #{@args.join(' ')}"
    alias to_s message
    def recover(argv) = argv.unshift(*@args)
    REASON = 'parse error'
  end

  class InvalidOption < ParseError
    REASON = 'invalid option'
  end

  class MissingArgument < ParseError
    REASON = 'missing argument'
  end

  class InvalidArgument < ParseError
    REASON = 'invalid argument'
  end

  class NeedlessArgument < ParseError
    REASON = 'needless argument'
  end

  class AmbiguousOption < ParseError
    REASON = 'ambiguous option'
  end

  Option = Struct.new(:short, :long, :argument, :optional, :negatable, :type, :text, :block)

  attr_accessor :banner, :program_name, :version, :summary_width, :summary_indent

  def initialize(banner = nil, width = 32, indent = '    ')
    @banner = banner
    @summary_width = width
    @summary_indent = indent
    @items = []
    @program_name = File.basename($0.to_s, '.*')
    yield self if block_given?
  end

  def banner = @banner || "Usage: #{program_name} [options]"

  def on(*args, &block)
    option = Option.new(nil, nil, nil, false, false, nil, [], block)
    args.each do |arg|
      case arg
      when /\A--\[no-\]([^\s=\[]+)/
        option.long = $1
        option.negatable = true
        take_argument(option, $')
      when /\A--([^\s=\[]+)/
        option.long = $1
        take_argument(option, $')
      when /\A-(.)/
        option.short = $1
        take_argument(option, $')
      when String then option.text << arg
      when Class, Array, Hash, Regexp then option.type = arg
      end
    end
    @items << option
    self
  end
  alias def_option on
  alias define on

  def on_tail(*args, &block) = on(*args, &block)
  def on_head(*args, &block) = on(*args, &block)

  def separator(text = '')
    @items << text
    self
  end

  def parse(*args, into: nil)
    list = args.size == 1 && args.first.is_a?(Array) ? args.first : args
    list = ARGV if args.empty?
    parse!(list.dup, into: into)
  end
  alias permute parse

  def parse!(list = ARGV, into: nil)
    rest = []
    until list.empty?
      word = list.shift
      case word
      when '--'
        rest.concat(list)
        list.clear
      when /\A--([^=]+)(?:=(.*))?\z/m then long_option($1, $2, word, list, into)
      when /\A-(.)(.*)\z/m then short_option($1, $2, list, into)
      else rest << word
      end
    end
    list.replace(rest)
    list
  end
  alias permute! parse!
  alias order! parse!

  def help
    lines = @items.map do |item|
      next item if item.is_a?(String)
      short = item.short ? "-#{item.short}" : '   '
      long = item.long ? "--#{'[no-]' if item.negatable}#{item.long}" : nil
      left = [short, long].compact.join(item.short && item.long ? ', ' : ' ')
      left += "#{item.long ? (item.optional ? " [#{item.argument}]" : " #{item.argument}") : " #{item.argument}"}" if item.argument
      item.text.empty? ? "#{@summary_indent}#{left}" : "#{@summary_indent}#{left.ljust(@summary_width)} #{item.text.join("\n#{@summary_indent}#{' ' * (@summary_width + 1)}")}"
    end
    ([banner] + lines).join("\n") + "\n"
  end
  alias to_s help

  private

  def take_argument(option, text)
    return if text.strip.empty?
    option.optional = text =~ /\A\s*=?\[/ ? true : false
    option.argument = text.strip.delete('[]').delete_prefix('=')
  end

  def options = @items.grep(Option)

  def long_option(name, value, word, list, into)
    option = options.find { |it| it.long == name }
    negated = false
    if option.nil? && name.start_with?('no-') && (option = options.find { |it| it.negatable && it.long == name.delete_prefix('no-') })
      negated = true
    end
    if option.nil?
      candidates = options.select { |it| it.long&.start_with?(name) }
      raise AmbiguousOption, word if candidates.size > 1
      option = candidates.first
    end
    raise InvalidOption, word unless option
    give(option, value, "--#{name}", list, into, negated)
  end

  def short_option(letter, rest, list, into)
    option = options.find { |it| it.short == letter }
    raise InvalidOption, "-#{letter}" unless option
    if option.argument
      give(option, rest.empty? ? nil : rest, "-#{letter}", list, into, false)
    else
      give(option, nil, "-#{letter}", list, into, false)
      short_option(rest[0], rest[1..], list, into) unless rest.empty?
    end
  end

  def give(option, value, word, list, into, negated)
    if option.argument
      value = list.shift if value.nil? && !(option.optional && (list.empty? || list.first.start_with?('-')))
      raise MissingArgument, word if value.nil? && !option.optional
      value = typed(option, value, word) unless value.nil?
    else
      raise NeedlessArgument, "#{word}=#{value}" if value
      value = !negated
    end
    into[(option.long || option.short).to_sym] = value if into
    option.block&.call(value)
  end

  def typed(option, value, word)
    case option.type
    when nil then value
    when Array then option.type.find { |it| it.to_s == value } || option.type.find { |it| it.to_s.start_with?(value) } || raise(InvalidArgument.new(word, value))
    when Hash then option.type.fetch(value) { raise InvalidArgument.new(word, value) }
    when Regexp then option.type.match(value) ? value : raise(InvalidArgument.new(word, value))
    else
      case option.type.name
      when 'Integer' then Integer(value)
      when 'Float', 'Numeric' then Float(value)
      when 'Array' then value.split(',')
      when 'Symbol' then value.to_sym
      when 'TrueClass' then %w[yes true +].include?(value)
      else value
      end
    end
  rescue ArgumentError
    raise InvalidArgument.new(word, value)
  end
end
