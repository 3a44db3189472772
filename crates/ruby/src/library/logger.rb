# Messages with their weight.
class Logger
  module Severity
    DEBUG = 0
    INFO = 1
    WARN = 2
    ERROR = 3
    FATAL = 4
    UNKNOWN = 5
  end
  include Severity

  class Error < RuntimeError; end

  class Formatter
    attr_accessor :datetime_format

    def call(severity, time, program, message)
      text = message.is_a?(String) ? message : (message.is_a?(Exception) ? "#{message.message} (#{message.class})\n#{message.backtrace&.join("\n")}" : message.inspect)
      format("%s, [%s #%d] %5s -- %s: %s\n", severity[0], time.strftime(@datetime_format || '%Y-%m-%dT%H:%M:%S.%6N'), Process.pid, severity, program, text)
    end
  end

  attr_accessor :formatter, :progname, :datetime_format
  attr_reader :level

  NAMES = %w[DEBUG INFO WARN ERROR FATAL ANY].freeze

  def initialize(target = nil, *_rest, level: DEBUG, progname: nil, formatter: nil, datetime_format: nil, **_options)
    @target = target.is_a?(String) ? File.open(target, 'a') : target
    self.level = level
    @progname = progname
    @formatter = formatter
    @datetime_format = datetime_format
  end

  def level=(value)
    @level = value.is_a?(Integer) ? value : NAMES.index(value.to_s.upcase) || (value.to_s.casecmp?('unknown') ? 5 : raise(ArgumentError, "invalid log level: #{value}"))
  end

  def add(severity, message = nil, program = nil)
    severity ||= UNKNOWN
    return true if @target.nil? || severity < @level
    program ||= @progname
    if message.nil?
      if block_given?
        message = yield
      else
        message = program
        program = @progname
      end
    end
    @target.write((@formatter || (@default ||= Formatter.new)).call(NAMES[severity] || 'ANY', Time.now, program, message))
    true
  end
  alias log add

  def <<(message)
    @target&.write(message)
    self
  end

  { debug: DEBUG, info: INFO, warn: WARN, error: ERROR, fatal: FATAL, unknown: UNKNOWN }.each do |name, number|
    define_method(name) { |program = nil, &block| add(number, nil, program, &block) }
    define_method("#{name}?") { @level <= number }
    define_method("#{name}!") { self.level = number }
  end

  def close = nil
end
