# A string that is read and written like a file.
require '(io)'

class StringIO
  include IO::Stream

  attr_reader :string

  def self.open(*args)
    io = new(*args)
    block_given? ? yield(io) : io
  end

  def initialize(string = String.new, mode = nil)
    raise TypeError, "no implicit conversion of #{string.nil? ? 'nil' : string.class} into String" unless string.is_a?(String)
    mode = mode.to_s
    mode = string.frozen? ? 'r' : 'r+' if mode.empty?
    @string = string
    @append = mode.start_with?('a')
    @readable = mode.start_with?('r') || mode.include?('+')
    @writable = !mode.start_with?('r') || mode.include?('+')
    raise Errno::EACCES, 'Permission denied' if @writable && string.frozen?
    string.replace('') if mode.start_with?('w')
    @pos = 0
    @lineno = 0
    @closed = false
  end

  def string=(string)
    @string = string
    @pos = 0
    @lineno = 0
  end

  def reopen(string = String.new, mode = nil)
    initialize(string, mode)
    self
  end

  def size
    @string.bytesize
  end
  alias length size

  def inspect
    Kernel.instance_method(:to_s).bind(self).call
  end

  def fileno
    nil
  end

  def pid
    nil
  end

  def closed_read?
    @closed || !@readable
  end

  def closed_write?
    @closed || !@writable
  end

  private

  def closed_text
    'not opened for reading'
  end
end
