# Requests as objects. Nothing is sent from here.
require 'uri'
require 'timeout'

module Net
  class ProtocolError < StandardError; end
  class OpenTimeout < Timeout::Error; end
  class ReadTimeout < Timeout::Error; end
  class HTTPBadResponse < StandardError; end
  class HTTPServerException < ProtocolError; end
  class HTTPFatalError < ProtocolError; end
  HTTPClientException = HTTPServerException

  class HTTPResponse
    attr_reader :code, :message, :body
  end

  %w[HTTPSuccess HTTPRedirection HTTPClientError HTTPServerError HTTPInformation].each { |name| const_set(name, Class.new(HTTPResponse)) }
  { HTTPOK: HTTPSuccess, HTTPCreated: HTTPSuccess, HTTPNoContent: HTTPSuccess, HTTPFound: HTTPRedirection, HTTPMovedPermanently: HTTPRedirection, HTTPNotModified: HTTPRedirection, HTTPNotFound: HTTPClientError, HTTPUnauthorized: HTTPClientError, HTTPForbidden: HTTPClientError, HTTPInternalServerError: HTTPServerError }.each { |name, above| const_set(name, Class.new(above)) }

  class HTTP
    attr_reader :address, :port
    attr_accessor :use_ssl, :verify_mode, :open_timeout, :read_timeout, :write_timeout, :ca_file, :ca_path, :cert, :key, :cert_store, :ssl_version, :verify_depth, :keep_alive_timeout, :max_retries

    class Request
      attr_reader :path, :method
      attr_accessor :body

      def initialize(path, headers = nil)
        @path = path.respond_to?(:request_uri) ? path.request_uri : path
        @method = self.class::METHOD
        @headers = {}
        headers&.each { |name, value| self[name] = value }
      end

      def [](name) = @headers[name.to_s.downcase]

      def []=(name, value)
        @headers[name.to_s.downcase] = value
      end
      alias add_field []=

      def each_header(&block) = @headers.each(&block)
      def content_type = self['content-type']

      def content_type=(value)
        self['content-type'] = value
      end

      def basic_auth(user, password)
        self['authorization'] = "Basic #{["#{user}:#{password}"].pack('m0')}"
      end

      def set_form_data(values, _separator = '&')
        self.body = URI.encode_www_form(values)
        self.content_type = 'application/x-www-form-urlencoded'
      end
      alias form_data= set_form_data
    end

    %w[Get Post Put Delete Head Patch Options].each { |name| const_set(name, Class.new(Request)).const_set(:METHOD, name.upcase) }
    GenericRequest = Request

    def self.start(*args, **_options, &block) = new(*args.first(2)).start(&block)
    def self.get(*) = new('', 0).request(nil)
    def self.get_response(*) = new('', 0).request(nil)
    def self.post_form(*) = new('', 0).request(nil)

    def initialize(address, port = nil, *_proxy)
      @address = address
      @port = port || 80
      @use_ssl = false
      @open_timeout = 60
      @read_timeout = 60
    end

    def use_ssl? = !!@use_ssl
    def start = raise(NotImplementedError, 'nothing can be connected to from here')
    def request(*) = raise(NotImplementedError, 'nothing can be connected to from here')
    def started? = false
    def finish = nil
    def inspect = "#<#{self.class} #{@address}:#{@port} open=false>"

    %i[get post put delete head patch].each { |name| define_method(name) { |*| request(nil) } }
  end
end
