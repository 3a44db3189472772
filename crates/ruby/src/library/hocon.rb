# HOCON, as the gem `hocon` reads it.
module Hocon
  class ConfigError < StandardError
    class ConfigParseError < ConfigError; end
  end

  # What was read; nothing in it is left to be resolved.
  class Config
    def initialize(data)
      @data = data
    end

    def root = self
    def resolve(*) = self
    def unwrapped = @data
  end

  module ConfigFactory
    def self.parse_string(text, *) = Config.new(Hocon.__value(text))
    def self.parse_file(path, *) = Config.new(Hocon.__value(File.read(path)))
    def self.load_file(path, *) = parse_file(path)
  end

  def self.parse(text) = __value(text)
  def self.load(path, *) = __value(File.read(path))
end
