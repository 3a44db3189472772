# Names and addresses of hosts. Names are looked up where the system keeps them; servers are asked by the world.
require 'socket'

class Resolv
  class ResolvError < StandardError; end
  class ResolvTimeout < Timeout::Error; end

  class IPv4
    Regex256 = /0|1(?:[0-9][0-9]?)?|2(?:[0-4][0-9]?|5[0-5]?|[6-9])?|[3-9][0-9]?/x
    Regex = /\A(#{Regex256})\.(#{Regex256})\.(#{Regex256})\.(#{Regex256})\z/

    attr_reader :address

    def self.create(text)
      return text if text.is_a?(IPv4)
      raise ArgumentError, "cannot interpret as IPv4 address: #{text.inspect}" unless Regex =~ text.to_s
      new(text.to_s.split('.').map(&:to_i).pack('C4'))
    end

    def initialize(address)
      @address = address
    end

    def to_s = @address.unpack('C4').join('.')
    def inspect = "#<#{self.class} #{self}>"
    def to_name = DNS::Name.create(@address.unpack('C4').reverse.join('.') + '.in-addr.arpa.')
    def ==(other) = other.is_a?(IPv4) && @address == other.address
    alias eql? ==
    def hash = @address.hash
  end

  class IPv6
    Regex_8Hex = /\A(?:[0-9A-Fa-f]{1,4}:){7}[0-9A-Fa-f]{1,4}\z/
    Regex_CompressedHex = /\A((?:[0-9A-Fa-f]{1,4}(?::[0-9A-Fa-f]{1,4})*)?)::((?:[0-9A-Fa-f]{1,4}(?::[0-9A-Fa-f]{1,4})*)?)\z/
    Regex_6Hex4Dec = /\A((?:[0-9A-Fa-f]{1,4}:){6,6})(\d+)\.(\d+)\.(\d+)\.(\d+)\z/
    Regex_CompressedHex4Dec = /\A((?:[0-9A-Fa-f]{1,4}(?::[0-9A-Fa-f]{1,4})*)?)::((?:[0-9A-Fa-f]{1,4}:)*)(\d+)\.(\d+)\.(\d+)\.(\d+)\z/
    Regex = /(?:#{Regex_8Hex})|(?:#{Regex_CompressedHex})|(?:#{Regex_6Hex4Dec})|(?:#{Regex_CompressedHex4Dec})/

    attr_reader :text

    def self.create(text) = Regex =~ text.to_s ? new(text.to_s) : raise(ArgumentError, "not numeric IPv6 address: #{text}")

    def initialize(text)
      @text = text
    end

    def to_s
      __groups.map { |group| group.hex.to_s(16) }.join(':').sub(/(^|:)0(:0)*(:|$)/, '::')
    end
    def inspect = "#<#{self.class} #{self}>"
    def ==(other) = other.is_a?(IPv6) && to_s == other.to_s
    alias eql? ==
    def hash = to_s.hash
  end

  AddressRegex = /(?:#{IPv4::Regex})|(?:#{IPv6::Regex})/

  class Hosts
    def initialize(path = '/etc/hosts')
      @path = path
    end

    def lines
      return [] unless File.exist?(@path)
      File.readlines(@path, chomp: true).map { |line| line.sub(/#.*/, '').split }.reject { |words| words.size < 2 }
    end

    def getaddress(name) = getaddresses(name).first || raise(ResolvError, "#{@path} has no name: #{name}")
    def getaddresses(name) = lines.select { |words| words.drop(1).any? { |word| word.casecmp?(name.to_s) } }.map(&:first)
    def getname(address) = getnames(address).first || raise(ResolvError, "#{@path} has no address: #{address}")
    def getnames(address) = lines.select { |words| words.first == address.to_s }.flat_map { |words| words.drop(1) }
    def each_address(name, &block) = getaddresses(name).each(&block)
  end

  class << self
    def getaddress(name) = DefaultResolver.getaddress(name)
    def getaddresses(name) = DefaultResolver.getaddresses(name)
    def getname(address) = DefaultResolver.getname(address)
    def getnames(address) = DefaultResolver.getnames(address)
    def each_address(name, &block) = getaddresses(name).each(&block)
  end

  def initialize(resolvers = nil)
    @resolvers = resolvers || [Hosts.new]
    @asks_servers = resolvers.nil?
  end

  def getaddress(name) = getaddresses(name).first || raise(ResolvError, "no address for #{name}")
  def getname(address) = getnames(address).first || raise(ResolvError, "no name for #{address}")

  def getaddresses(name)
    return [name] if AddressRegex =~ name.to_s
    first_answer { |resolver| resolver.getaddresses(name).map(&:to_s) }
  end

  def getnames(address) = first_answer { |resolver| resolver.getnames(address).map(&:to_s) }

  private

  def first_answer
    @resolvers.each do |resolver|
      found = yield(resolver)
      return found unless found.empty?
    end
    @asks_servers ? yield(DNS.new) : []
  end

  DefaultResolver = new
end
