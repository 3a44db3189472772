# Names of hosts and numbers of the network; nothing is connected to.
require 'timeout'

class SocketError < StandardError; end

class BasicSocket < IO; end

class Socket < BasicSocket
  AF_UNSPEC = 0
  AF_UNIX = 1
  AF_INET = 2
  AF_INET6 = 10
  PF_INET = 2
  PF_INET6 = 10
  SOCK_STREAM = 1
  SOCK_DGRAM = 2
  IPPROTO_TCP = 6
  IPPROTO_UDP = 17

  module Constants
    AF_INET = 2
    AF_INET6 = 10
    SOCK_STREAM = 1
  end

  class ResolutionError < SocketError; end

  def self.gethostname = Process.__host

  def self.getaddrinfo(name, service = nil, *_rest)
    Addrinfo.getaddrinfo(name, service).map { |it| [it.ipv6? ? 'AF_INET6' : 'AF_INET', service.to_i, it.ip_address, it.ip_address, it.afamily, SOCK_STREAM, IPPROTO_TCP] }
  end

  def self.gethostbyname(name)
    address = IPSocket.getaddress(name)
    [name, [], AF_INET, address.split('.').map(&:to_i).pack('C4')]
  end

  def self.ip_address_list = Process.__addresses.map { |address| Addrinfo.ip(address) }
  def self.tcp(*) = raise(NotImplementedError, 'nothing can be connected to from here')
end

class IPSocket < BasicSocket
  def self.getaddress(name)
    require 'resolv'
    Resolv.getaddresses(name.to_s).first || raise(SocketError, 'getaddrinfo: Name or service not known')
  end
end

class TCPSocket < IPSocket
  def initialize(*) = raise(NotImplementedError, 'nothing can be connected to from here')
  def self.gethostbyname(name) = [name, [], Socket::AF_INET, getaddress(name)]
end

class UDPSocket < IPSocket; end
class TCPServer < TCPSocket; end
class UNIXSocket < BasicSocket
  def initialize(*) = raise(NotImplementedError, 'nothing can be connected to from here')
end

class Addrinfo
  attr_reader :ip_address, :ip_port

  def self.ip(address) = new(address)
  def self.tcp(address, port) = new(address, port.to_i)

  def self.getaddrinfo(name, service = nil, *_rest)
    require 'resolv'
    found = Resolv.getaddresses(name.to_s)
    raise SocketError, 'getaddrinfo: Name or service not known' if found.empty?
    found.map { |address| new(address, service.to_i) }
  end

  def initialize(address, port = 0)
    @ip_address = address
    @ip_port = port
  end

  def ip? = true
  def ipv4? = !ipv6?
  def ipv6? = @ip_address.include?(':')
  def afamily = ipv6? ? Socket::AF_INET6 : Socket::AF_INET
  def ipv4_loopback? = @ip_address.start_with?('127.')
  def ipv6_loopback? = @ip_address == '::1'
  def ipv4_private? = @ip_address.match?(/\A(?:10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.)/)
  def ipv6_linklocal? = @ip_address.match?(/\Afe[89ab]/i)
  def ipv4_multicast? = ipv4? && @ip_address.to_i.between?(224, 239)
  def ipv6_multicast? = @ip_address.downcase.start_with?('ff')
  def inspect = "#<Addrinfo: #{@ip_address}>"
end
