# A string that is read from its beginning, pattern by pattern.
class StringScanner
  class Error < StandardError; end

  attr_reader :string

  def initialize(string, _obsolete = nil, fixed_anchor: false)
    self.string = string
  end

  def string=(string)
    @string = string.to_str
    reset
  end

  def reset
    @pos = 0
    @match = nil
    self
  end

  def terminate
    @pos = @string.bytesize
    @match = nil
    self
  end

  def concat(text)
    @string << text
    self
  end
  alias << concat

  attr_reader :pos
  alias pointer pos

  def pos=(pos)
    pos += @string.bytesize if pos.negative?
    raise RangeError, 'index out of range' if pos.negative? || pos > @string.bytesize
    @pos = pos
  end
  alias pointer= pos=

  def charpos = @string.byteslice(0, @pos).length
  def rest = @string.byteslice(@pos..)
  def rest_size = @string.bytesize - @pos
  def rest? = !eos?
  def eos? = @pos >= @string.bytesize
  def beginning_of_line? = @pos.zero? || @string.getbyte(@pos - 1) == 10
  alias bol? beginning_of_line?
  def peek(length) = @string.byteslice(@pos, length)

  def scan(pattern) = move(pattern, true, true, true)
  def match?(pattern) = move(pattern, true, false, false)
  def skip(pattern) = move(pattern, true, true, false)
  def check(pattern) = move(pattern, true, false, true)
  def scan_until(pattern) = move(pattern, false, true, true)
  def exist?(pattern) = move(pattern, false, false, false)
  def skip_until(pattern) = move(pattern, false, true, false)
  def check_until(pattern) = move(pattern, false, false, true)
  def getch = scan(/./m)
  def search_full(pattern, advance, gives) = move(pattern, false, advance, gives)
  def scan_full(pattern, advance, gives) = move(pattern, true, advance, gives)

  def get_byte
    return nil if eos?
    @last, @pos = @pos, @pos + 1
    @string.byteslice(@last, 1)
  end

  def unscan
    raise Error, 'unscan error: previous match record not exist' unless @match
    @pos = @last
    @match = nil
    self
  end

  def matched = @match && @match[0]
  def matched? = !@match.nil?
  def matched_size = @match && @match[0].bytesize
  def [](group) = @match && @match[group]
  def size = @match&.size
  def captures = @match&.captures
  def values_at(*groups) = @match&.values_at(*groups)
  def named_captures = @match ? @match.named_captures : {}
  def pre_match = @match && @string.byteslice(0, @pos_of_match)
  def post_match = @match&.post_match

  def inspect
    return '#<StringScanner fin>' if eos?
    before = @pos.zero? ? '' : " #{(@pos > 5 ? '...' : '').then { |dots| (dots + @string.byteslice([@pos - 5, 0].max...@pos)).inspect }}"
    after = rest.bytesize > 5 ? "#{rest.byteslice(0, 5)}..." : rest
    "#<StringScanner #{@pos}/#{@string.bytesize}#{before} @ #{after.inspect}>"
  end

  private

  def move(pattern, anchored, advances, gives)
    if pattern.is_a?(String)
      raise TypeError, "wrong argument type String (expected Regexp)" unless anchored
      pattern = Regexp.new(Regexp.escape(pattern))
    end
    raise TypeError, "wrong argument type #{pattern.class} (expected Regexp)" unless pattern.is_a?(Regexp)
    text = rest
    found = (anchored ? /\A(?:#{pattern})/ : pattern).match(text)
    @match = found
    return nil unless found
    skipped = found.pre_match.bytesize
    length = skipped + found[0].bytesize
    @last, @pos_of_match = @pos, @pos + skipped
    @pos += length if advances
    gives ? text.byteslice(0, length) : length
  end
end
