# Paths as objects.
class Pathname
  include Comparable

  SEPARATOR_LIST = '/'
  SEPARATOR_PAT = %r{/}

  def self.pwd = new(Dir.pwd)
  def self.getwd = new(Dir.pwd)

  def self.glob(*args, **options)
    found = Dir.glob(*args, **options).map { |path| new(path) }
    block_given? ? found.each { |path| yield path } && nil : found
  end

  def initialize(path)
    path = path.to_path if path.respond_to?(:to_path)
    raise TypeError, "no implicit conversion of #{path.nil? ? 'nil' : path.class} into String" unless path.is_a?(String)
    raise ArgumentError, 'pathname contains null byte' if path.include?("\0")
    @path = path.dup
  end

  def to_s = @path.dup
  alias to_path to_s
  def inspect = "#<#{self.class}:#{@path}>"
  def ==(other) = other.is_a?(Pathname) && @path == other.to_s
  alias === ==
  alias eql? ==
  def hash = @path.hash
  def <=>(other) = other.is_a?(Pathname) ? @path.tr('/', "\0") <=> other.to_s.tr('/', "\0") : nil
  def absolute? = @path.start_with?('/')
  def relative? = !absolute?
  def root? = @path =~ %r{\A/+\z} ? true : false

  def +(other)
    other = Pathname.new(other) unless other.is_a?(Pathname)
    Pathname.new(plus(@path, other.to_s))
  end
  alias / +

  def join(*others)
    return self if others.empty?
    result = Pathname.new(others.pop)
    return result if result.absolute?
    others.reverse_each do |other|
      result = Pathname.new(other) + result
      return result if result.absolute?
    end
    self + result
  end

  def basename(*args) = self.class.new(File.basename(@path, *args))
  def dirname = self.class.new(File.dirname(@path))
  def extname = File.extname(@path)
  def parent = self + '..'
  def expand_path(*args) = self.class.new(File.expand_path(@path, *args))
  def realpath(*args) = self.class.new(File.realpath(@path, *args))
  def sub(*args, &block) = self.class.new(@path.sub(*args, &block))
  def sub_ext(extension) = self.class.new(@path.delete_suffix(extname) + extension)
  def split = File.split(@path).map { |part| self.class.new(part) }

  def each_filename(&block)
    parts = @path.split('/').reject(&:empty?)
    block ? parts.each(&block) && nil : parts.each
  end

  def cleanpath(_consider_symlink = false)
    parts = []
    @path.split('/').each do |part|
      case part
      when '', '.' then next
      when '..'
        if parts.empty? || parts.last == '..'
          parts << '..' unless absolute?
        else
          parts.pop
        end
      else parts << part
      end
    end
    text = parts.join('/')
    self.class.new(absolute? ? "/#{text}" : (text.empty? ? '.' : text))
  end

  def descend(&block)
    all = []
    ascend { |path| all.unshift(path) }
    block ? all.each(&block) && nil : all.each
  end

  def ascend
    return to_enum(:ascend) unless block_given?
    path = @path.length > 1 ? @path.chomp('/') : @path
    loop do
      yield self.class.new(path)
      break if path == '/' || !path.include?('/')
      path = path.rpartition('/').first.sub(%r{/+\z}, '')
      path = '/' if path.empty?
    end
    nil
  end

  def relative_path_from(base)
    base = Pathname.new(base) unless base.is_a?(Pathname)
    from = base.cleanpath
    to = cleanpath
    raise ArgumentError, "different prefix: #{to.absolute? ? '/' : ''} and #{base.inspect}" if from.absolute? != to.absolute?
    from_parts = from.each_filename.to_a - ['.']
    to_parts = to.each_filename.to_a - ['.']
    while !from_parts.empty? && from_parts.first == to_parts.first
      from_parts.shift
      to_parts.shift
    end
    raise ArgumentError, "base_directory has ..: #{base.inspect}" if from_parts.include?('..')
    parts = from_parts.map { '..' } + to_parts
    self.class.new(parts.empty? ? '.' : parts.join('/'))
  end

  def children(with_directory = true)
    Dir.children(@path).map { |name| with_directory && @path != '.' ? self.class.new(File.join(@path, name)) : self.class.new(name) }
  end

  def each_child(with_directory = true, &block) = children(with_directory).each(&block)
  def entries = Dir.entries(@path).map { |name| self.class.new(name) }
  def each_entry(&block) = entries.each(&block)
  def glob(pattern, flags = 0) = Dir.glob(pattern, flags, base: @path).map { |path| self + path }
  def mkdir(*args) = Dir.mkdir(@path, *args)
  def rmdir = Dir.rmdir(@path)

  def mkpath(**_options)
    require 'fileutils'
    FileUtils.mkdir_p(@path)
    self
  end

  def rmtree(**_options)
    require 'fileutils'
    FileUtils.rm_rf(@path)
    self
  end

  def unlink = File.directory?(@path) ? Dir.unlink(@path) : File.unlink(@path)
  alias delete unlink
  def empty? = File.directory?(@path) ? Dir.empty?(@path) : File.empty?(@path)
  def mountpoint? = root?
  def open(*args, **options, &block) = File.open(@path, *args, **options, &block)
  def each_line(*args, &block) = File.foreach(@path, *args, &block)
  def rename(to) = File.rename(@path, to.to_s)
  def make_symlink(target) = File.symlink(target.to_s, @path)
  def readlink = self.class.new(File.readlink(@path))
  def chmod(mode) = File.chmod(mode, @path)
  def chown(user, group) = File.chown(user, group, @path)
  def fnmatch(pattern, *args) = File.fnmatch(pattern, @path, *args)
  alias fnmatch? fnmatch
  def freeze = super

  %i[read binread readlines write binwrite].each { |name| define_method(name) { |*args, **options| File.__send__(name, @path, *args, **options) } }
  %i[exist? file? directory? symlink? readable? writable? executable? size size? zero? stat lstat mtime atime ctime ftype pipe? socket? world_readable?].each { |name| define_method(name) { File.__send__(name, @path) } }

  private

  def plus(first, second)
    return second if second.start_with?('/')
    parts = second.split('/').reject { |part| part.empty? || part == '.' }
    base = first
    base = File.dirname(base) while parts.first == '..' && !['.', '', '..', '/'].include?(File.basename(base)) && parts.shift
    parts.shift while parts.first == '..' && base =~ %r{\A/+\z}
    return base if parts.empty?
    return parts.join('/') if base == '.' || base.empty?
    base.end_with?('/') ? base + parts.join('/') : "#{base}/#{parts.join('/')}"
  end
end

module Kernel
  def Pathname(path) = path.is_a?(Pathname) ? path : Pathname.new(path)
  private :Pathname
end
