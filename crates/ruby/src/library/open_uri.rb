# What is behind addresses, as far as it is on this machine.
require 'uri'

module OpenURI
  class HTTPError < StandardError
    attr_reader :io

    def initialize(message, io)
      super(message)
      @io = io
    end
  end

  class HTTPRedirect < HTTPError; end
end

module URI
  def self.open(name, *arguments, &block)
    if name.is_a?(URI::HTTP) || name.is_a?(URI::FTP) || name.to_s.match?(%r{\A(?:https?|ftp)://})
      raise NotImplementedError, 'nothing can be connected to from here'
    end

    Kernel.open(name, *arguments, &block)
  end
end
