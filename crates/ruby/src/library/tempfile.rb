# Files and directories that are not meant to last.
require 'delegate'
require 'fileutils'

class Dir
  def self.tmpdir = ENV['TMPDIR'] || '/tmp'

  def self.mktmpdir(prefix = nil, directory = nil, **_options)
    path = Tempfile.free_path(prefix || 'd', directory || tmpdir)
    mkdir(path, 0o700)
    return path unless block_given?
    begin
      yield path
    ensure
      FileUtils.rm_rf(path)
    end
  end
end

class Tempfile < File
  def self.free_path(name, directory)
    before, after = name.is_a?(Array) ? name : [name, '']
    10.times do
      path = File.join(directory, "#{before}#{Time.now.strftime('%Y%m%d')}-#{Process.pid}-#{Random.urandom(4).unpack1('H*')}#{after}")
      return path unless File.exist?(path)
    end
    raise Errno::EEXIST, directory
  end

  def self.create(name = '', directory = Dir.tmpdir, **_options)
    file = new(name, directory)
    return file unless block_given?
    begin
      yield file
    ensure
      file.close!
    end
  end

  def self.open(*args, **options, &block)
    file = new(*args, **options)
    return file unless block
    begin
      block.call(file)
    ensure
      file.close
    end
  end

  def initialize(name = '', directory = nil, mode: 0, **options)
    super(Tempfile.free_path(name, directory || Dir.tmpdir), 'w+', 0o600, **options)
  end

  def open
    flush
    super(@path, 'r+')
  end

  def read(*args)
    super
  end

  def close(unlinks = false)
    super()
    unlink if unlinks
    nil
  end

  def close! = close(true)

  def unlink
    File.unlink(@path) if @path && File.exist?(@path)
    @path = nil
    true
  end
  alias delete unlink

  def length = size
end
