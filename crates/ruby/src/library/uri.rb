# Addresses of resources, as RFC 3986 has them.
module URI
  class Error < StandardError; end
  class InvalidURIError < Error; end
  class InvalidComponentError < Error; end
  class BadURIError < Error; end

  PATTERN = %r{\A(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?://((?:[A-Za-z0-9\-._~!$&'()*+,;=:]|%\h\h)*@)?(\[[\h:.]+\]|\[v\h+\.[^\]]+\]|(?:[A-Za-z0-9\-._~!$&'()*+,;=]|%\h\h)*)(?::(\d*))?(?=[/?#]|\z))?((?:[A-Za-z0-9\-._~!$&'()*+,;=:@/]|%\h\h)*)(?:\?((?:[A-Za-z0-9\-._~!$&'()*+,;=:@/?\[\]]|%\h\h)*))?(?:#((?:[A-Za-z0-9\-._~!$&'()*+,;=:@/?]|%\h\h)*))?\z}.freeze
  private_constant :PATTERN

  class Generic
    include URI

    COMPONENT = %i[scheme userinfo host port registry path opaque query fragment].freeze
    DEFAULT_PORT = nil

    def self.default_port = self::DEFAULT_PORT
    def self.component = self::COMPONENT

    def self.build(args)
      parts = args.is_a?(Hash) ? args : component.zip(args).to_h
      raise ArgumentError, "expected Array of or Hash of components of #{self}" unless parts.is_a?(Hash)
      scheme = parts[:scheme] || name.split('::').last.downcase
      scheme = nil if scheme == 'generic'
      path = parts[:path] || ''
      made = new(scheme, parts[:userinfo], parts[:host], parts[:port], nil, path, parts[:opaque], parts[:query], parts[:fragment])
      made.hostname = parts[:host] if parts[:host]
      made.port = parts[:port] if parts[:port]
      made.path = path unless parts[:opaque]
      made
    end

    attr_reader :scheme, :host, :path, :query, :fragment, :opaque, :registry

    def initialize(scheme, userinfo, host, port, registry, path, opaque, query, fragment, _parser = nil, _check = false)
      @scheme = scheme&.downcase
      @user, @password = userinfo.is_a?(Array) ? userinfo : userinfo.to_s.split(':', 2) if userinfo
      @host = host
      @port = port.is_a?(String) ? (port.empty? ? nil : port.to_i) : port
      @port ||= default_port
      @registry = registry
      @path = path
      @opaque = opaque
      @query = query
      @fragment = fragment
    end

    attr_reader :port, :user, :password

    def default_port = self.class.default_port
    def parser = URI::DEFAULT_PARSER
    def component = self.class.component
    def component_ary = component.map { |name| __send__(name) }
    def coerce(other) = [URI.parse(other), self]

    def userinfo
      return nil unless @user
      @password ? "#{@user}:#{@password}" : @user
    end

    def hostname = @host&.delete_prefix('[')&.delete_suffix(']')

    def hostname=(value)
      self.host = value&.include?(':') && !value.start_with?('[') ? "[#{value}]" : value
    end

    def scheme=(value)
      raise InvalidComponentError, "bad component(expected scheme component): #{value}" unless value.nil? || value =~ /\A[A-Za-z][A-Za-z0-9+.-]*\z/
      @scheme = value&.downcase
    end

    def host=(value)
      raise InvalidURIError, 'can not set host with registry or opaque' if value && @opaque
      shown = value.to_s.include?(':') && !value.start_with?('[') ? "[#{value}]" : value
      raise InvalidComponentError, "bad component(expected host component): #{shown}" unless value.nil? || value =~ /\A(?:\[[\h:.]+(?:%25[\w.~-]+)?\]|(?:[A-Za-z0-9\-._~!$&'()*+,;=]|%\h\h)*)\z/
      @host = value
    end

    def port=(value)
      raise InvalidComponentError, "bad component(expected port component): #{value.inspect}" unless value.nil? || value.to_s =~ /\A\d+\z/
      @port = value.is_a?(String) ? value.to_i : value
    end

    def path=(value)
      kind = @scheme ? 'absolute' : 'relative'
      fits = value.nil? || value.empty? || (value =~ %r{\A(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/]|%\h\h)*\z} && (@scheme.nil? || value.start_with?('/')))
      raise InvalidComponentError, "bad component(expected #{kind} path component): #{value}" unless fits
      @path = value
    end

    def query=(value)
      @query = value&.gsub(/[\t\n\r]/, '')&.gsub(%r{(?!%\h\h|[!$-&(-;=?-_a-~/])[^.'\[\]]}) { |letter| letter.unpack('C*').map { |byte| format('%%%02X', byte) }.join }
    end

    def fragment=(value)
      @fragment = value
    end

    def opaque=(value)
      raise InvalidURIError, 'can not set opaque with host, port, userinfo or path' if value && (@host || @port || @user || !@path.to_s.empty?)
      @opaque = value
    end

    def user=(value)
      @user = value
    end

    def password=(value)
      raise InvalidURIError, 'password component depends user component' unless @user
      @password = value
    end

    def userinfo=(value)
      @user, @password = value.is_a?(Array) ? value : value.to_s.split(':', 2)
    end

    def absolute? = !@scheme.nil?
    alias absolute absolute?
    def relative? = !absolute?
    def hierarchical? = @opaque.nil?
    def opaque? = !@opaque.nil?

    def to_s
      text = +''
      text << @scheme << ':' if @scheme
      if @opaque
        text << @opaque
      else
        text << '//' if @host || %w[file postgres].include?(@scheme)
        text << userinfo << '@' if @user
        text << @host if @host
        text << ':' << @port.to_s if @port && @port != default_port
        text << '/' if @host && !@path.empty? && !@path.start_with?('/')
        text << @path
        text << '?' << @query if @query
      end
      text << '#' << @fragment if @fragment
      text
    end
    alias to_str to_s

    def inspect = "#<#{self.class} #{self}>"

    def ==(other) = self.class == other.class && normalize.to_a == other.normalize.to_a
    def eql?(other) = self.class == other.class && to_a == other.to_a
    def hash = to_a.hash
    def to_a = [@scheme, userinfo, @host, @port, @path, @opaque, @query, @fragment]

    def select(*names)
      names.map do |name|
        raise ArgumentError, "expected of components of #{self.class} (#{component.join(', ')})" unless component.include?(name)
        __send__(name)
      end
    end

    def normalize
      copy = dup
      copy.normalize!
      copy
    end

    def normalize!
      @path = '/' if @path&.empty? && @host
      @scheme = @scheme&.downcase
      @host = @host&.downcase
      self
    end

    def merge(other)
      other = URI.parse(other.to_s) unless other.is_a?(Generic)
      return other.dup if other.absolute?
      raise BadURIError, 'both URI are relative' unless absolute?
      made = dup
      if other.host
        made.instance_variable_set(:@host, other.host)
        made.instance_variable_set(:@port, other.port || made.default_port)
        made.instance_variable_set(:@user, other.user)
        made.instance_variable_set(:@password, other.password)
        made.instance_variable_set(:@path, other.path)
        made.instance_variable_set(:@query, other.query)
      elsif other.path.empty?
        made.instance_variable_set(:@query, other.query || @query)
      else
        made.instance_variable_set(:@path, merged_path(@path, other.path))
        made.instance_variable_set(:@query, other.query)
      end
      made.instance_variable_set(:@fragment, other.fragment)
      made
    end
    alias + merge

    def merge!(other)
      merged = merge(other)
      merged.instance_variables.each { |name| instance_variable_set(name, merged.instance_variable_get(name)) }
      self
    end

    def route_to(other)
      other = URI.parse(other.to_s)
      return other unless [scheme, host, port, userinfo] == [other.scheme, other.host, other.port, other.userinfo]
      Generic.new(nil, nil, nil, nil, nil, other.path.delete_prefix(@path[%r{\A.*/}] || ''), nil, other.query, other.fragment)
    end

    def route_from(other) = URI.parse(other.to_s).route_to(self)
    alias - route_from

    def find_proxy(_environment = nil) = nil

    private

    def merged_path(base, path)
      return tidy(path) if path.start_with?('/')
      tidy("#{base[%r{\A.*/}m] || '/'}#{path}")
    end

    def tidy(path)
      parts = []
      list = path.split('/', -1)
      list.shift
      list.each_with_index do |part, index|
        last = index == list.length - 1
        case part
        when '.' then parts << '' if last
        when '..'
          parts.pop
          parts << '' if last
        else parts << part
        end
      end
      "/#{parts.join('/')}"
    end
  end

  class HTTP < Generic
    DEFAULT_PORT = 80
    COMPONENT = %i[scheme userinfo host port path query fragment].freeze

    def request_uri
      return nil unless @path
      url = @query ? "#{@path}?#{@query}" : @path.dup
      url.start_with?('/') ? url : "/#{url}"
    end

    def authority = @port == default_port ? @host : "#{@host}:#{@port}"
    def origin = "#{@scheme}://#{authority}"
  end

  class HTTPS < HTTP
    DEFAULT_PORT = 443
  end

  class FTP < Generic
    DEFAULT_PORT = 21
    COMPONENT = %i[scheme userinfo host port path typecode].freeze

    attr_accessor :typecode

    def initialize(*)
      super
      @path, @typecode = @path.split(';type=', 2) if @path&.include?(';type=')
    end

    def path = @path.delete_prefix('/')
  end

  class LDAP < Generic
    DEFAULT_PORT = 389

    def dn = @path.delete_prefix('/')
    def attributes = @query&.split('?', -1)&.at(0)
    def scope = @query&.split('?', -1)&.at(1)
    def filter = @query&.split('?', -1)&.at(2)
  end

  class LDAPS < LDAP
    DEFAULT_PORT = 636
  end

  class WS < Generic
    DEFAULT_PORT = 80
  end

  class WSS < WS
    DEFAULT_PORT = 443
  end

  class File < Generic
    def initialize(*)
      super
      @host = '' unless @host
    end

    def to_s = "file://#{@host}#{@path}"
  end

  class MailTo < Generic
    COMPONENT = %i[scheme to headers].freeze

    def to = @opaque.split('?').first
    def headers = (@opaque.split('?')[1] || '').split('&').map { |pair| pair.split('=', 2) }
  end

  SCHEMES = { 'HTTP' => HTTP, 'HTTPS' => HTTPS, 'FTP' => FTP, 'LDAP' => LDAP, 'LDAPS' => LDAPS, 'FILE' => File, 'MAILTO' => MailTo, 'WS' => WS, 'WSS' => WSS }
  private_constant :SCHEMES

  # The parser of RFC 2396, which many files still ask for.
  class RFC2396_Parser
    UNSAFE = %r{[^\-_.!~*'()a-zA-Z\d;/?:@&=+$,\[\]]}.freeze
    ESCAPED = /%[a-fA-F\d]{2}/.freeze

    def escape(text, unsafe = UNSAFE)
      unsafe = Regexp.new("[#{Regexp.quote(unsafe)}]") unless unsafe.is_a?(Regexp)
      text.gsub(unsafe) { |part| part.unpack('C*').map { |byte| format('%%%02X', byte) }.join }.force_encoding(Encoding::US_ASCII)
    end

    def unescape(text, escaped = ESCAPED)
      text.b.gsub(escaped) { |part| [part[1, 2]].pack('H2') }.force_encoding(text.encoding)
    end

    def parse(text) = URI.parse(text)
    def split(text) = URI.split(text)
    def join(*texts) = URI.join(*texts)
    def regexp = { ABS_URI: URI.__send__(:whole), UNSAFE: UNSAFE, ESCAPED: ESCAPED }
    def make_regexp(schemes = nil) = URI.__send__(:words, schemes)

    def extract(text, schemes = nil)
      found = []
      text.scan(make_regexp(schemes)) { found << $& }
      found
    end
  end

  DEFAULT_PARSER = RFC2396_Parser.new
  Parser = RFC2396_Parser
  RFC3986_PARSER = DEFAULT_PARSER
  UNSAFE = RFC2396_Parser::UNSAFE
  ABS_URI = %r{\A[A-Za-z][A-Za-z0-9+.-]*:[^\s]+\z}.freeze

  class << self
    def split(text)
      match = PATTERN.match(text.to_s)
      unless match && text.to_s.ascii_only?
        raise InvalidURIError, "URI must be ascii only #{text.to_s.dump}" if match.nil? && !text.to_s.ascii_only?
        raise InvalidURIError, "bad URI(is not URI?): #{text.inspect}"
      end
      scheme, userinfo, host, port, path, query, fragment = match.captures
      raise InvalidURIError, "bad URI(is not URI?): #{text.inspect}" if scheme.nil? && host.nil? && path =~ /\A[^\/]*:/
      raise InvalidURIError, "bad URI(is not URI?): #{text.inspect}" if host.nil? && path.start_with?('//')
      if scheme && host.nil? && !path.start_with?('/') && !path.empty?
        opaque = query ? "#{path}?#{query}" : path
        return [scheme, nil, nil, nil, nil, nil, opaque, nil, fragment]
      end
      [scheme, userinfo&.chomp('@'), host, port, nil, path, nil, query, fragment]
    end

    def parse(text)
      return text if text.is_a?(Generic)
      raise InvalidURIError, "bad URI(is not URI?): #{text.inspect}" unless text.respond_to?(:to_str)
      scheme, userinfo, host, port, registry, path, opaque, query, fragment = split(text.to_str)
      host = nil if host == '' && scheme != 'file'
      kind = SCHEMES.fetch(scheme.to_s.upcase, Generic)
      raise InvalidComponentError, "unrecognised opaque part for mailtoURL: #{opaque}" if kind == MailTo && opaque.nil?
      kind.new(scheme, userinfo, host, port, registry, path, opaque, query, fragment)
    end

    def join(*texts) = texts[1..].inject(parse(texts[0])) { |base, text| base.merge(text) }

    def extract(text, schemes = nil, &block)
      found = DEFAULT_PARSER.extract(text, schemes)
      block ? found.each(&block) && nil : found
    end

    def regexp(schemes = nil) = DEFAULT_PARSER.make_regexp(schemes)
    def scheme_list = SCHEMES
    def register_scheme(kind, name) = SCHEMES[name.to_s.upcase] = kind
    def for(scheme, *arguments, default: Generic) = SCHEMES.fetch(scheme.to_s.upcase, default).new(scheme, *arguments)

    def encode_www_form_component(text, _encoding = nil)
      text.to_s.gsub(/[^*\-.0-9A-Z_a-z]/) { |sign| sign == ' ' ? '+' : sign.bytes.map { |byte| format('%%%02X', byte) }.join }.force_encoding(Encoding::US_ASCII)
    end

    def decode_www_form_component(text, encoding = Encoding::UTF_8)
      raise ArgumentError, "invalid %-encoding (#{text})" if text =~ /%(?!\h\h)/
      text.b.gsub(/\+|%\h\h/n) { |part| part == '+' ? ' ' : [part[1, 2]].pack('H2') }.force_encoding(encoding)
    end

    def encode_www_form(pairs, _encoding = nil)
      pairs.map do |key, value|
        name = encode_www_form_component(key)
        case value
        when nil then name
        when Array then value.map { |item| item.nil? ? name : "#{name}=#{encode_www_form_component(item)}" }.join('&')
        else "#{name}=#{encode_www_form_component(value)}"
        end
      end.join('&')
    end

    def get_encoding(label) = Encoding.find(label)

    def decode_www_form(text, encoding = Encoding::UTF_8)
      text.split('&').map do |pair|
        name, value = pair.split('=', 2)
        [decode_www_form_component(name, encoding), decode_www_form_component(value || '', encoding)]
      end
    end

    private

    def whole = ABS_URI

    def words(schemes)
      names = schemes ? Array(schemes).map { |name| Regexp.escape(name) }.join('|') : '[a-zA-Z][\-+.a-zA-Z\d]*'
      %r{(?:#{names}):(?://[^\s<>"{}|\\^`\[\]]+|[^\s/<>"{}|\\^`\[\]:][^\s<>"{}|\\^`\[\]]*)}
    end
  end
end

module Kernel
  def URI(text)
    return text if text.is_a?(URI::Generic)
    raise ArgumentError, 'bad argument (expected URI object or URI string)' unless text.is_a?(String) || text.respond_to?(:to_str)
    URI.parse(text.to_str)
  end
  private :URI
  module_function :URI
end
