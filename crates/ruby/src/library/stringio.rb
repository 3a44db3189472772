# A string that is read and written like a file.
class StringIO
  include Enumerable

  attr_accessor :string, :pos, :lineno

  def self.open(*args)
    io = new(*args)
    block_given? ? yield(io) : io
  end

  def initialize(string = String.new, mode = nil)
    @string = string
    @pos = mode.to_s.start_with?('a') ? string.bytesize : 0
    @lineno = 0
    @closed = false
    string.replace('') if mode.to_s.start_with?('w')
  end

  def write(*values)
    raise IOError, 'not opened for writing' if @closed
    values.sum do |value|
      text = value.to_s
      before = @string.byteslice(0, @pos) || ''
      after = @string.byteslice(@pos + text.bytesize, @string.bytesize) || ''
      @string.replace(before + text + after)
      @pos += text.bytesize
      text.bytesize
    end
  end

  def <<(value)
    write(value)
    self
  end

  def print(*values)
    write(*values)
    nil
  end

  def puts(*values)
    values = [''] if values.empty?
    values.flatten.each do |value|
      text = value.to_s
      write(text.end_with?("\n") ? text : "#{text}\n")
    end
    nil
  end

  def printf(pattern, *values)
    write(format(pattern, *values))
    nil
  end

  def read(length = nil)
    raise IOError, 'not opened for reading' if @closed
    return length.nil? || length.zero? ? '' : nil if @pos >= @string.bytesize
    text = @string.byteslice(@pos, length || @string.bytesize)
    @pos += text.bytesize
    text
  end

  def gets(chomp: false)
    return nil if @pos >= @string.bytesize
    rest = @string.byteslice(@pos, @string.bytesize)
    line = rest.lines.first
    @pos += line.bytesize
    @lineno += 1
    chomp ? line.chomp : line
  end

  def readline
    gets || raise(EOFError, 'end of file reached')
  end

  def each_line
    return to_enum(:each_line) unless block_given?
    while (line = gets)
      yield line
    end
    self
  end
  alias each each_line

  def readlines(chomp: false)
    lines = []
    while (line = gets(chomp: chomp))
      lines << line
    end
    lines
  end

  def getc
    return nil if eof?
    letter = @string.byteslice(@pos, @string.bytesize)[0]
    @pos += letter.bytesize
    letter
  end

  def eof?
    @pos >= @string.bytesize
  end
  alias eof eof?

  def rewind
    @pos = 0
    @lineno = 0
    0
  end

  def seek(position, _whence = 0)
    @pos = position
    0
  end

  def truncate(length)
    @string.replace(@string.byteslice(0, length).ljust(length, "\0"))
    0
  end

  def size
    @string.bytesize
  end
  alias length size
  alias tell pos

  def close
    @closed = true
    nil
  end

  def closed?
    @closed
  end

  def sync
    true
  end

  def sync=(value)
    value
  end

  def flush
    self
  end

  def tty?
    false
  end
  alias isatty tty?
end
