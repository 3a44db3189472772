# The names that JSON has besides `parse` and `generate`.
module JSON
  VERSION = '2.6.1'
  VERSION_ARRAY = [2, 6, 1].freeze
  NaN = Float::NAN
  Infinity = Float::INFINITY
  MinusInfinity = -Float::INFINITY
  UnparserError = GeneratorError

  module Ext
    module Generator
      State = JSON::State
    end
  end

  class << self
    alias unparse generate
    alias fast_generate generate
    alias fast_unparse generate
    alias pretty_unparse pretty_generate
    alias restore load

    def load_file(path, options = {}) = parse(File.read(path), **options)
    def load_file!(path, options = {}) = parse!(File.read(path), **options)
    def state = State
    def create_id = 'json_class'
  end
end

module Kernel
  def JSON(value, *options) = value.is_a?(String) ? JSON.parse(value, *options) : JSON.generate(value, *options)

  def j(*values)
    values.each { |value| puts JSON.generate(value) }
    nil
  end

  def jj(*values)
    values.each { |value| puts JSON.pretty_generate(value) }
    nil
  end
  private :JSON, :j, :jj
end
