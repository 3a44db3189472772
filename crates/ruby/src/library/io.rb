# Streams: text that is read and written piece by piece. A file is read as a whole when it is opened, and written when
# it is closed or flushed.
class IO
  include Enumerable

  SEEK_SET = 0
  SEEK_CUR = 1
  SEEK_END = 2

  module WaitReadable; end
  module WaitWritable; end

  # What is read and written: `@string` from `@pos` on.
  module Stream
    include Enumerable

    attr_accessor :lineno

    def pos
      check_open
      @pos
    end
    alias tell pos

    def pos=(position)
      raise Errno::EINVAL, 'Invalid argument' if position < 0
      @pos = position
    end

    def write(*values)
      check_writable
      values.sum do |value|
        text = value.to_s
        place = @append ? @string.bytesize : @pos
        if place == @string.bytesize
          @string << text.dup.force_encoding(@string.encoding)
        else
          before = @string.byteslice(0, place) || ''
          before = before.ljust(place, "\0") if before.bytesize < place
          after = @string.byteslice(place + text.bytesize, @string.bytesize) || ''
          @string.replace(before + text + after)
        end
        @pos = place + text.bytesize
        wrote
        text.bytesize
      end
    end
    alias syswrite write
    alias write_nonblock write

    def <<(value)
      write(value)
      self
    end

    def print(*values)
      write(*values)
      nil
    end

    def puts(*values)
      write("\n") if values.empty?
      values.each do |value|
        if value.is_a?(Array)
          value.each { |item| puts(item) }
        else
          text = value.to_s
          write(text.end_with?("\n") ? text : "#{text}\n")
        end
      end
      nil
    end

    def p(*values)
      values.each { |value| puts(value.inspect) }
      values.size > 1 ? values : values.first
    end

    def printf(pattern, *values)
      write(format(pattern, *values))
      nil
    end

    def putc(letter)
      write(letter.is_a?(Integer) ? (letter & 255).chr : letter[0])
      letter
    end

    def read(length = nil, into = nil)
      check_readable
      if @pos >= @string.bytesize
        text = length.nil? || length.zero? ? String.new : nil
      else
        text = @string.byteslice(@pos, length || @string.bytesize)
        text.force_encoding(Encoding::BINARY) if length
        @pos += text.bytesize
      end
      into ? into.replace(text || '') : text
    end
    alias sysread read
    alias readpartial read
    alias read_nonblock read

    def gets(separator = $/, limit = nil, chomp: false)
      check_readable
      separator, limit = $/, separator if separator.is_a?(Integer)
      @pos += 1 while separator == '' && @string.getbyte(@pos) == 10
      line = IO.__line(@string, @pos, separator, limit)
      $_ = line
      return nil unless line
      @pos += line.bytesize
      @lineno += 1
      line = line.chomp(separator == '' ? "\n\n" : separator) if chomp && separator
      line
    end

    def readline(*args, **options)
      gets(*args, **options) || raise(EOFError, 'end of file reached')
    end

    def each_line(*args, **options)
      return to_enum(:each_line, *args, **options) unless block_given?
      check_readable
      while (line = gets(*args, **options))
        yield line
      end
      self
    end
    alias each each_line

    def readlines(*args, **options)
      each_line(*args, **options).to_a
    end

    def getc
      check_readable
      return nil if eof?
      rest = @string.byteslice(@pos, 4)
      letter = rest[0]
      @pos += letter.bytesize
      letter
    end

    def readchar
      getc || raise(EOFError, 'end of file reached')
    end

    def getbyte
      check_readable
      byte = @string.getbyte(@pos)
      @pos += 1 if byte
      byte
    end

    def readbyte
      getbyte || raise(EOFError, 'end of file reached')
    end

    def ungetc(letter)
      letter = letter.chr if letter.is_a?(Integer)
      start = @pos - letter.bytesize
      if start >= 0
        @string.replace(@string.byteslice(0, start) + letter + (@string.byteslice(@pos, @string.bytesize) || ''))
        @pos = start
      else
        @string.replace(letter + (@string.byteslice(@pos, @string.bytesize) || ''))
        @pos = 0
      end
      nil
    end

    def each_char
      return to_enum(:each_char) unless block_given?
      while (letter = getc)
        yield letter
      end
      self
    end

    def each_byte
      return to_enum(:each_byte) unless block_given?
      while (byte = getbyte)
        yield byte
      end
      self
    end

    def eof?
      check_readable
      @pos >= @string.bytesize
    end
    alias eof eof?

    def rewind
      @pos = 0
      @lineno = 0
      0
    end

    def seek(offset, whence = 0)
      base = { 0 => 0, 1 => @pos, 2 => @string.bytesize, :SET => 0, :CUR => @pos, :END => @string.bytesize }.fetch(whence)
      raise Errno::EINVAL, 'Invalid argument' if base + offset < 0
      @pos = base + offset
      0
    end

    def truncate(length)
      @string.replace(@string.byteslice(0, length).ljust(length, "\0"))
      wrote
      0
    end

    def close
      return nil if @closed
      flush
      @closed = true
      nil
    end

    def close_read
      @readable = false
      nil
    end

    def close_write
      flush
      @writable = false
      nil
    end

    def closed?
      @closed
    end

    def sync
      true
    end
    alias fsync sync
    alias fdatasync sync

    def sync=(value)
      value
    end

    def flush
      self
    end

    def binmode
      @string.force_encoding(Encoding::BINARY)
      self
    end

    def set_encoding(encoding, *)
      encoding = encoding.to_s.split(':').first if encoding.is_a?(String)
      @string.force_encoding(encoding) if encoding
      self
    end

    def external_encoding
      @string.encoding
    end

    def internal_encoding
      nil
    end

    def tty?
      false
    end
    alias isatty tty?

    def fcntl(*)
      0
    end

    private

    def wrote; end

    def check_open
      raise IOError, closed_text if @closed
    end

    def closed_text
      'closed stream'
    end

    def check_readable
      check_open
      raise IOError, 'not opened for reading' unless @readable
    end

    def check_writable
      check_open
      raise IOError, 'not opened for writing' unless @writable
    end
  end

  include Stream

  attr_reader :fileno
  alias to_i fileno

  # A stream that has its text already.
  def self.holding(text, fileno: 3)
    made = allocate
    made.__send__(:hold, text, fileno)
    made
  end

  def self.popen(*args, **options)
    arguments = args.dup
    environment = arguments.first.is_a?(Hash) ? arguments.shift : {}
    command = arguments.shift
    mode = arguments.shift.to_s
    command = command.is_a?(Array) ? command : [command]
    environment = command.shift if command.first.is_a?(Hash)
    if mode.include?('+')
      process = Conversation.new { |input| Process.__run(environment, *command, options.merge(stdin_data: input))[0] }
      return process unless block_given?
      return yield(process).tap { process.close }
    end
    if mode.include?('w')
      require 'stringio'
      raise NotImplementedError, 'a process that is written to cannot be run here' unless block_given?
      input = StringIO.new
      result = yield(input)
      $stdout.write(Process.__run(environment, *command, options.merge(stdin_data: input.string))[0])
      return result
    end
    stream = holding(Process.__run(environment, *command, options)[0])
    block_given? ? yield(stream) : stream
  end

  # A process that is written to and read from: it is run when all is written or something is read.
  class Conversation
    def initialize(&run)
      require 'stringio'
      @input = StringIO.new
      @run = run
    end

    %i[write puts print printf << putc].each { |name| define_method(name) { |*args| @input.public_send(name, *args) } }
    def close_write = nil
    def flush = self
    def sync=(_value); end
    def close = output && nil
    def pid = 2

    private

    def output = @output ||= StringIO.new(@run.call(@input.string))
    def respond_to_missing?(name, all = false) = StringIO.method_defined?(name) || super
    def method_missing(name, ...) = StringIO.method_defined?(name) ? output.public_send(name, ...) : super
  end
  private_constant :Conversation

  def self.readlines(path, *args, **options)
    File.open(path) { |file| file.readlines(*args, **options) }
  end

  def self.foreach(path, *args, **options, &block)
    return to_enum(:foreach, path, *args, **options) unless block
    File.open(path) { |file| file.each_line(*args, **options, &block) }
    nil
  end

  def self.copy_stream(from, to)
    text = from.respond_to?(:read) ? from.read : File.binread(from)
    to.respond_to?(:write) ? to.write(text) : File.binwrite(to, text)
  end

  def self.pipe
    raise NotImplementedError, 'there are no pipes here'
  end

  def inspect
    "#<#{self.class}:#{{ 0 => '<STDIN>', 1 => '<STDOUT>', 2 => '<STDERR>' }.fetch(@fileno, "fd #{@fileno}")}>"
  end

  def pid
    nil
  end

  private

  def hold(text, fileno)
    @string = text
    @fileno = fileno
    @pos = 0
    @lineno = 0
    @readable = true
    @writable = false
    @closed = false
  end
end

# The streams of the process itself.
class StandardStream < IO
  def self.name
    'IO'
  end

  def self.inspect
    'IO'
  end

  def initialize(fileno)
    hold(String.new, fileno)
    @readable = fileno == 0
    @writable = fileno != 0
  end

  def class
    IO
  end

  def write(*values)
    check_writable
    values.sum { |value| IO.__put(@fileno, value.to_s) }
  end
end

STDIN = StandardStream.new(0)
STDOUT = StandardStream.new(1)
STDERR = StandardStream.new(2)

class File
  attr_reader :path
  alias to_path path

  def self.open(*args, **options)
    file = new(*args, **options)
    return file unless block_given?
    begin
      yield file
    ensure
      file.close
    end
  end

  def initialize(path, mode = nil, permissions = 0o666, **options)
    @path = path.respond_to?(:to_path) ? path.to_path : path
    mode = options.fetch(:mode, 'r') if mode.nil?
    permissions = options.fetch(:perm, permissions)
    plain, encoding = flags_of(mode)
    encoding ||= options[:encoding] || options[:external_encoding]
    hold(String.new, 3)
    @permissions = permissions || 0o666
    case plain.delete('bt')
    when 'r', 'r+' then @string = IO.__read(@path)
    when 'w', 'w+' then IO.__write(@path, '', false, plain.include?('x'), @permissions)
    when 'wx', 'w+x' then IO.__write(@path, '', false, true, @permissions)
    when 'a', 'a+' then IO.__write(@path, '', true, false, @permissions)
    end
    @string = IO.__read(@path) if plain.start_with?('a') && plain.include?('+')
    @is_directory = @string.nil?
    @string ||= String.new
    @append = plain.start_with?('a')
    @readable = plain.start_with?('r') || plain.include?('+')
    @writable = !plain.start_with?('r') || plain.include?('+')
    @flushed = @append ? @string.bytesize : 0
    @string.force_encoding(encoding.to_s.sub(/\Abom\|/i, '').split(':').first) if encoding
    @string.force_encoding(Encoding::BINARY) if plain.include?('b') && !encoding
  end

  def flush
    return self unless @dirty
    @dirty = false
    if @append
      IO.__write(@path, @string.byteslice(@flushed, @string.bytesize), true, false, @permissions)
      @flushed = @string.bytesize
    else
      IO.__write(@path, @string, false, false, @permissions)
    end
    self
  end
  alias fsync flush

  def size
    flush if @writable
    @writable ? @string.bytesize : File.size(@path)
  end

  def stat
    flush if @writable
    File.stat(@path)
  end
  alias lstat stat

  def mtime = File.mtime(@path)
  def atime = File.atime(@path)
  def ctime = File.ctime(@path)
  def chmod(mode) = File.chmod(mode, @path) && 0
  def chown(user, group) = File.chown(user, group, @path) && 0

  def flock(_operation)
    0
  end

  def inspect
    "#<File:#{@path}#{' (closed)' if @closed}>"
  end

  private

  def wrote
    @dirty = true
  end

  def check_readable
    super
    raise Errno::EISDIR.new(@path, 'io_fread') if @is_directory
  end

  def flags_of(mode)
    if mode.is_a?(Integer)
      text = mode & File::WRONLY != 0 ? 'w' : (mode & File::RDWR != 0 ? 'r+' : 'r')
      text = mode & File::RDWR != 0 ? 'a+' : 'a' if mode & File::APPEND != 0
      text = 'w+' if mode & File::RDWR != 0 && mode & (File::TRUNC | File::CREAT) != 0 && mode & File::APPEND == 0
      text += 'x' if mode & File::EXCL != 0
      return [text, nil]
    end
    plain, encoding = mode.to_s.split(':', 2)
    raise ArgumentError, "invalid access mode #{mode}" unless plain =~ /\A(?:[rwa](?:[bt]?\+?|\+[bt]?)x?)\z/
    [plain, encoding]
  end
end

# A directory that is open: its names are read when they are asked for.
class Dir
  include Enumerable

  class << self
    def new(path, **_options)
      made = allocate
      made.__send__(:initialize, path)
      made
    end

    def open(path, **options)
      made = new(path, **options)
      return made unless block_given?
      begin
        yield made
      ensure
        made.close
      end
    end
  end

  attr_reader :path
  alias to_path path

  def initialize(path)
    @path = path.respond_to?(:to_path) ? path.to_path : path.to_str
    @names = Dir.entries(@path)
    @pos = 0
  end

  def each(&block)
    return to_enum(:each) unless block
    names.each(&block)
    self
  end

  def read
    @pos += 1
    names[@pos - 1]
  end

  def children = names - %w[. ..]

  def each_child(&block)
    return to_enum(:each_child) unless block
    children.each(&block)
    self
  end

  def tell = @pos
  alias pos tell

  def rewind
    @pos = 0
    self
  end

  def close
    @names = nil
  end

  def inspect = "#<Dir:#{@path}>"

  private

  def names = @names || raise(IOError, 'uninitialized Dir')
end
