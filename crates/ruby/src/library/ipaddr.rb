# Addresses of the Internet Protocol, and networks of them.
require 'socket'

class IPAddr
  include Comparable

  class Error < ArgumentError; end
  class InvalidAddressError < Error; end
  class AddressFamilyError < Error; end
  class InvalidPrefixError < InvalidAddressError; end

  IN4MASK = 0xffffffff
  IN6MASK = 0xffffffffffffffffffffffffffffffff

  attr_reader :family

  def self.new_ntoh(bytes)
    raise AddressFamilyError, 'unsupported address family' unless [4, 16].include?(bytes.bytesize)
    number = bytes.unpack('C*').inject(0) { |sum, byte| (sum << 8) | byte }
    new(number, bytes.bytesize == 4 ? 2 : 10)
  end

  def self.ntop(bytes)
    new_ntoh(bytes).to_string
  end

  def initialize(address = '::', family = 0)
    unless address.is_a?(String)
      raise AddressFamilyError, 'address family must be specified' if family.zero?
      raise AddressFamilyError, "unsupported address family: #{family}" unless [2, 10].include?(family)
      @family = family
      raise InvalidAddressError, "invalid address: #{address}" if address.negative? || address > full_mask
      @addr = address
      @mask_addr = full_mask
      return
    end
    text, prefix, more = address.split('/')
    raise InvalidAddressError, 'invalid address: ' if more || address.end_with?('/')
    text = text.to_s
    text = text[1..-2] if text.start_with?('[') && text.end_with?(']')
    text, @zone_id = text.sub(/%.+\z/, ''), text[/%.+\z/] if text.include?(':')
    @addr = parse(text, address)
    @mask_addr = full_mask
    self.mask!(prefix) if prefix
  end

  def ipv4?
    @family == 2
  end

  def ipv6?
    @family == 10
  end

  def to_i
    @addr
  end

  def hton
    bytes = []
    number = @addr
    (ipv4? ? 4 : 16).times do
      bytes.unshift(number & 255)
      number >>= 8
    end
    bytes.pack('C*')
  end

  def prefix
    width - (full_mask ^ @mask_addr).to_s(2).delete('0').length
  end

  def prefix=(prefix)
    raise InvalidPrefixError, 'prefix must be an integer' unless prefix.is_a?(Integer)
    mask!(prefix)
  end

  attr_writer :zone_id

  def zone_id
    raise InvalidAddressError, 'not an IPv6 address' unless ipv6?
    @zone_id
  end

  def to_string
    return v4_text(@addr) if ipv4?
    "#{groups_text}#{@zone_id}"
  end

  def groups_text
    (0..7).map { |group| ((@addr >> (112 - 16 * group)) & 0xffff).to_s(16).rjust(4, '0') }.join(':')
  end

  def to_s
    return v4_text(@addr) if ipv4?
    "#{short_text}#{@zone_id}"
  end

  def short_text
    return "::ffff:#{v4_text(@addr & IN4MASK)}" if ipv4_mapped?
    if (@addr >> 32).zero? && (@addr & IN4MASK) > 0xffff
      return "::#{v4_text(@addr & IN4MASK)}"
    end
    groups = groups_text.split(':').map { |group| group.sub(/\A0{1,3}/, '') }
    best = nil
    start = 0
    while start < 8
      finish = start
      finish += 1 while finish < 8 && groups[finish] == '0'
      best = [start, finish - start] if finish - start > 1 && (best.nil? || finish - start > best[1])
      start = [finish, start + 1].max
    end
    return groups.join(':') if best.nil?
    "#{groups[0, best[0]].join(':')}::#{groups[(best[0] + best[1])..].join(':')}"
  end
  private :groups_text, :short_text

  def inspect
    kind = ipv4? ? 'IPv4' : 'IPv6'
    mask = ipv4? ? v4_text(@mask_addr) : self.class.new(@mask_addr, 10).to_string
    "#<#{self.class}: #{kind}:#{to_string}/#{mask}>"
  end

  def netmask
    ipv4? ? v4_text(@mask_addr) : self.class.new(@mask_addr, 10).to_string
  end

  def mask(prefix)
    dup.mask!(prefix)
  end

  def &(other)
    with(@addr & number_of(other))
  end

  def |(other)
    with(@addr | number_of(other))
  end

  def ~
    with(full_mask & ~@addr)
  end

  def <<(count)
    with((@addr << count) & full_mask)
  end

  def >>(count)
    with(@addr >> count)
  end

  def succ
    raise InvalidAddressError, "invalid address: #{@addr}" if @addr == full_mask
    with(@addr + 1)
  end

  def to_range
    first = @addr & @mask_addr
    last = first | (full_mask ^ @mask_addr)
    self.class.new(first, @family)..self.class.new(last, @family)
  end

  def include?(other)
    other = coerce_other(other)
    return false unless other.family == @family
    (other.to_i & @mask_addr) == (@addr & @mask_addr) && other.prefix >= prefix
  end
  alias === include?

  def <=>(other)
    other = coerce_other(other)
    other.family == @family ? @addr <=> other.to_i : nil
  rescue IPAddr::Error, NoMethodError
    nil
  end

  def ==(other)
    other = coerce_other(other)
    @family == other.family && @addr == other.to_i
  rescue IPAddr::Error, NoMethodError, TypeError
    false
  end

  def eql?(other)
    other.is_a?(IPAddr) && hash == other.hash && self == other
  end

  def hash
    [@addr, @mask_addr, @family].hash
  end

  def ipv4_mapped?
    ipv6? && (@addr >> 32) == 0xffff
  end

  def ipv4_mapped
    raise InvalidAddressError, "not an IPv4 address: #{@addr}" unless ipv4?
    self.class.new(@addr | 0xffff00000000, 10)
  end

  def ipv4_compat
    raise InvalidAddressError, "not an IPv4 address: #{@addr}" unless ipv4?
    self.class.new(@addr, 10)
  end

  def ipv4_compat? = ipv6? && (@addr >> 32).zero? && ![0, 1].include?(@addr & IN4MASK)

  def native
    ipv4_mapped? ? self.class.new(@addr & IN4MASK, 2) : self
  end

  def loopback?
    ipv4? ? (@addr >> 24) == 127 : @addr == 1
  end

  def private?
    return (@addr & (0xfe << 120)) == (0xfc << 120) if ipv6?
    (@addr >> 24) == 10 || (@addr >> 20) == 0xac1 || (@addr >> 16) == 0xc0a8
  end

  def link_local?
    ipv4? ? (@addr >> 16) == 0xa9fe : (@addr >> 118) == 0x3fa
  end

  def reverse
    return "#{v4_text(@addr).split('.').reverse.join('.')}.in-addr.arpa" if ipv4?
    ip6_arpa
  end

  def ip6_arpa
    raise InvalidAddressError, "not an IPv6 address: #{@addr}" unless ipv6?
    "#{groups_text.delete(':').reverse.chars.join('.')}.ip6.arpa"
  end

  def ip6_int
    ip6_arpa.delete_suffix('arpa') + 'int'
  end

  def mask!(prefix)
    if prefix.is_a?(String) && !prefix.match?(/\A\d+\z/)
      other = self.class.new(prefix)
      raise InvalidPrefixError, 'address family is not same' unless other.family == @family
      @mask_addr = other.to_i
      raise InvalidPrefixError, "invalid mask #{prefix}: #{@addr}" unless (full_mask ^ @mask_addr).to_s(2).delete('1').empty? || @mask_addr == full_mask
    else
      length = prefix.to_i
      raise InvalidPrefixError, "invalid length: #{@addr}" if length.negative? || length > width
      @mask_addr = (full_mask << (width - length)) & full_mask
    end
    @addr &= @mask_addr
    self
  end
  protected :mask!

  private

  def width
    ipv4? ? 32 : 128
  end

  def full_mask
    ipv4? ? IN4MASK : IN6MASK
  end

  def with(number)
    self.class.new(number, @family)
  end

  def number_of(other)
    other.is_a?(Integer) ? other : coerce_other(other).to_i
  end

  def coerce_other(other)
    case other
    when IPAddr then other
    when String then self.class.new(other)
    else self.class.new(other, @family)
    end
  end

  def v4_text(number)
    [24, 16, 8, 0].map { |shift| (number >> shift) & 255 }.join('.')
  end

  def parse(text, whole)
    if text.match?(/\A\d+\.\d+\.\d+\.\d+\z/)
      @family = 2
      return parse_v4(text, whole)
    end
    raise InvalidAddressError, "invalid address: " unless text.match?(/\A[0-9a-fA-F:.]+\z/) && text.include?(':')
    @family = 10
    parse_v6(text, whole)
  end

  def parse_v4(text, whole)
    text.split('.').inject(0) do |sum, part|
      raise InvalidAddressError, "zero-filled number in IPv4 address is ambiguous: " if part.match?(/\A0\d/)
      raise InvalidAddressError, "invalid address: " if part.to_i > 255
      (sum << 8) | part.to_i
    end
  end

  def parse_v6(text, whole)
    if (found = text.match(/\A(.*:)(\d+\.\d+\.\d+\.\d+)\z/))
      number = parse_v4(found[2], whole)
      text = "#{found[1]}#{(number >> 16).to_s(16)}:#{(number & 0xffff).to_s(16)}"
    end
    left, right, more = text.split('::', -1)
    bad = more || (right.nil? && text.count(':') != 7)
    left = left.to_s.split(':', -1)
    right = right.nil? ? nil : right.split(':', -1)
    groups = right.nil? ? left : left + ['0'] * [8 - left.length - right.length, 0].max + right
    if bad || groups.length != 8 || groups.any? { |group| !group.match?(/\A[0-9a-fA-F]{1,4}\z/) }
      raise InvalidAddressError, "invalid address: "
    end
    groups.inject(0) { |sum, group| (sum << 16) | group.hex }
  end
end
