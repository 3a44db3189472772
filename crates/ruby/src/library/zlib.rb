# Compressed text.
require 'stringio'

module Zlib
  class Error < StandardError; end
  class DataError < Error; end
  class BufError < Error; end

  BEST_COMPRESSION = 9
  BEST_SPEED = 1
  DEFAULT_COMPRESSION = -1

  def self.deflate(text, _level = nil) = __deflate(text, false)
  def self.gzip(text, **_options) = __deflate(text, true)

  def self.inflate(text)
    raise BufError, 'buffer error' if text.empty?
    __inflate(text, false) || raise(DataError, 'incorrect header check')
  end

  def self.gunzip(text) = __inflate(text, true) || raise(GzipFile::Error, 'not in gzip format')

  class Deflate
    def self.deflate(text, level = nil) = Zlib.deflate(text, level)
  end

  class Inflate
    def self.inflate(text) = Zlib.inflate(text)
  end

  class GzipFile
    class Error < Zlib::Error; end
  end

  class GzipReader < StringIO
    def self.open(path, &block) = File.open(path, 'rb') { |file| block.call(new(file)) }

    def initialize(source, **_options)
      super(Zlib.gunzip(source.read).force_encoding(Encoding::UTF_8))
    end
  end

  class GzipWriter < StringIO
    def self.open(path, *_rest)
      writer = new(File.open(path, 'wb'))
      yield writer
    ensure
      writer&.close
    end

    def initialize(target, *_rest, **_options)
      @target = target
      super()
    end

    def close
      @target.write(Zlib.gzip(@string))
      super
      @target
    end
  end
end
