# Code that may take so long and no longer. Nothing waits here: what would have been slept counts.
module Timeout
  class ExitException < Exception; end

  class Error < RuntimeError
    def self.handle_timeout(message) = raise(self, message)
  end

  def self.timeout(seconds, kind = nil, message = nil)
    return yield(seconds) if seconds.nil? || seconds.zero?
    Kernel.__limited(seconds) { |over| over ? raise(kind || Error, message || 'execution expired') : yield(seconds) }
  end

  def timeout(*args, &block) = Timeout.timeout(*args, &block)
  private :timeout
end

TimeoutError = Timeout::Error
