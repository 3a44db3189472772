# PSON, the notation of older releases: JSON of an array or a hash, with messages of its own.
module PSON
  class PSONError < StandardError; end
  class ParserError < PSONError; end
  class NestingError < ParserError; end
  class GeneratorError < PSONError; end

  def self.parse(source, options = {})
    raise TypeError, "#{source.inspect} is not like a string" unless source.respond_to?(:to_str)
    Reader.new(source.to_str, options.fetch(:max_nesting, 19) || 0).read
  end

  def self.load(source, _told = nil)
    source = source.read if source.respond_to?(:read)
    parse(source, max_nesting: false)
  end

  def self.generate(value, *_options)
    require 'json'
    JSON.generate(value)
  end

  def self.pretty_generate(value, *_options)
    require 'json'
    JSON.pretty_generate(value)
  end

  def self.dump(value, *_options) = generate(value)

  # Goes over the text once.
  class Reader
    BLANK = %r{\G(?:[ \t\r\n]+|//[^\n]*\n|/\*.*?\*/)+}m.freeze
    STRING = %r{\G"((?:[^"\\\x00-\x1f]|\\["\\/bfnrt]|\\u\h{4}|\\[^u\n])*)"}.freeze
    FLOAT = /\G-?(?:0|[1-9]\d*)(?:\.\d+(?:[eE][+-]?\d+)?|[eE][+-]?\d+)/.freeze
    INTEGER = /\G-?(?:0|[1-9]\d*)/.freeze
    WORDS = { 'true' => true, 'false' => false, 'null' => nil }.freeze
    ESCAPES = { 'b' => "\b", 'f' => "\f", 'n' => "\n", 'r' => "\r", 't' => "\t" }.freeze
    NOTHING = Object.new.freeze

    def initialize(text, deepest)
      @text = text
      @at = 0
      @deepest = deepest
      @depth = 0
    end

    def read
      found = nil
      loop do
        blank
        break if @at >= @text.length
        refuse("source '%s' not in PSON!") if found || !'[{'.include?(@text[@at])
        found = value
      end
      raise ParserError, 'source did not contain any PSON!' unless found
      found
    end

    private

    def refuse(message) = raise(ParserError, format(message, @text.byteslice(@text[0, @at].bytesize, 20)))

    def take(pattern)
      found = pattern.match(@text, @at) or return
      @at = found.end(0)
      found
    end

    def blank = take(BLANK)

    def sign(letter)
      return false unless @text[@at] == letter
      @at += 1
      true
    end

    def value
      if (found = take(FLOAT)) then Float(found[0])
      elsif (found = take(INTEGER)) then Integer(found[0], 10)
      elsif (found = take(/\G(?:true|false|null)/)) then WORDS[found[0]]
      elsif (found = take(STRING)) then text_of(found[1])
      elsif sign('[') then deeper { array }
      elsif sign('{') then deeper { object }
      else NOTHING
      end
    end

    def deeper
      @depth += 1
      raise NestingError, "nesting of #{@depth} is too deep" if @deepest.positive? && @depth > @deepest
      yield
    ensure
      @depth -= 1
    end

    def text_of(raw)
      raw.gsub(/(?:\\u\h{4})+|\\./) do |escape|
        next ESCAPES.fetch(escape[1], escape[1]) unless escape[1] == 'u'
        escape.scan(/\h{4}/).map { |digits| digits.to_i(16) }.pack('n*').force_encoding('UTF-16BE').encode('UTF-8')
      end
    end

    def array
      items = []
      is_after_comma = false
      loop do
        blank
        break if @at >= @text.length
        if sign(']')
          refuse("expected next element in array at '%s'!") if is_after_comma
          break
        end
        item = value
        refuse("unexpected token in array at '%s'!") if item.equal?(NOTHING)
        items << item
        blank
        is_after_comma = sign(',')
        refuse("expected ',' or ']' in array at '%s'!") unless is_after_comma || @text[@at] == ']'
      end
      items
    end

    def object
      pairs = {}
      is_after_comma = false
      loop do
        blank
        break if @at >= @text.length
        if sign('}')
          refuse("expected next name, value pair in object at '%s'!") if is_after_comma
          break
        end
        name = take(STRING) or refuse("unexpected token in object at '%s'!")
        blank
        refuse("expected ':' in object at '%s'!") unless sign(':')
        blank
        found = value
        refuse("expected value in object at '%s'!") if found.equal?(NOTHING)
        pairs[text_of(name[1])] = found
        blank
        is_after_comma = sign(',')
        refuse("expected ',' or '}' in object at '%s'!") unless is_after_comma || @text[@at] == '}'
      end
      pairs
    end
  end
  private_constant :Reader
end
