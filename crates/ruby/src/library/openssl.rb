# Digests, message authentication and keys of passwords, under the names of OpenSSL.
require 'digest'

module OpenSSL
  VERSION = '3.0.0'
  OPENSSL_VERSION = 'OpenSSL 3.0'

  class OpenSSLError < StandardError; end

  class Digest
    class DigestError < OpenSSLError; end

    attr_reader :name

    def self.digest(name, text) = new(name).digest(text)
    def self.hexdigest(name, text) = new(name).hexdigest(text)
    def self.base64digest(name, text) = new(name).base64digest(text)

    def initialize(name, text = nil)
      @name = name.is_a?(Digest) ? name.name : name.to_s.upcase.delete('-')
      raise RuntimeError, "Unsupported digest algorithm (#{name}).: unknown object name" unless %w[MD5 SHA1 SHA256 SHA384 SHA512].include?(@name)
      @text = (text || '').b
    end

    def update(text)
      @text += text.b
      self
    end
    alias << update

    def reset
      @text = ''.b
      self
    end

    def digest(text = nil) = OpenSSL.__digest(@name, text || @text)
    def hexdigest(text = nil) = digest(text).unpack1('H*')
    def base64digest(text = nil) = [digest(text)].pack('m0')
    alias to_s hexdigest
    def digest_length = digest('').bytesize
    alias length digest_length
    alias size digest_length
    def block_length = %w[SHA384 SHA512].include?(@name) ? 128 : 64
    def ==(other) = to_s == other.to_s
    def inspect = "#<#{self.class}: #{self}>"

    %w[MD5 SHA1 SHA256 SHA384 SHA512].each do |name|
      kind = Class.new(Digest) do
        define_method(:initialize) { |text = nil| super(name, text) }
        define_singleton_method(:digest) { |text| new.digest(text) }
        define_singleton_method(:hexdigest) { |text| new.hexdigest(text) }
        define_singleton_method(:base64digest) { |text| new.base64digest(text) }
      end
      const_set(name, kind)
    end
  end

  class HMAC
    def self.digest(digest, key, text) = OpenSSL.__hmac(Digest.new(digest).name, key, text)
    def self.hexdigest(digest, key, text) = digest(digest, key, text).unpack1('H*')
    def self.base64digest(digest, key, text) = [digest(digest, key, text)].pack('m0')

    def initialize(key, digest)
      @key = key
      @digest = digest
      @text = ''.b
    end

    def update(text)
      @text += text.b
      self
    end
    alias << update

    def digest = HMAC.digest(@digest, @key, @text)
    def hexdigest = digest.unpack1('H*')
    alias to_s hexdigest
    def base64digest = [digest].pack('m0')
  end

  module PKCS5
    def self.pbkdf2_hmac(password, salt, rounds, length, digest) = OpenSSL.__pbkdf2(Digest.new(digest).name, password, salt, rounds, length)
    def self.pbkdf2_hmac_sha1(password, salt, rounds, length) = pbkdf2_hmac(password, salt, rounds, length, 'SHA1')
  end

  module KDF
    class KDFError < OpenSSLError; end

    def self.pbkdf2_hmac(password, salt:, iterations:, length:, hash:) = PKCS5.pbkdf2_hmac(password, salt, iterations, length, hash)
  end

  module Random
    def self.random_bytes(count) = ::Random.urandom(count)
  end

  module SSL
    VERIFY_NONE = 0
    VERIFY_PEER = 1

    class SSLError < OpenSSLError; end
  end

  module X509
    class CertificateError < OpenSSLError; end
  end

  module PKey
    class PKeyError < OpenSSLError; end
    class RSAError < PKeyError; end
  end

  def self.fixed_length_secure_compare(first, second)
    raise ArgumentError, 'inputs must be of equal length' unless first.bytesize == second.bytesize
    first == second
  end

  def self.secure_compare(first, second) = first == second

  # Large numbers, as far as certificates have them.
  class BN
    def initialize(number, base = 10)
      @number = case base
                when 2 then number.unpack1('H*').to_i(16)
                when 10, 16 then number.is_a?(String) ? number.to_i(base) : number.to_i
                else raise ArgumentError, "invalid radix #{base}"
                end
    end

    %i[+ - * % ** & | <<  >>].each { |name| define_method(name) { |other| BN.new(@number.public_send(name, other.to_i)) } }
    def num_bits = @number.bit_length
    def num_bytes = (@number.bit_length + 7) / 8
    def zero? = @number.zero?
    def odd? = @number.odd?
    def negative? = @number.negative?
    def hash = @number.hash
    def to_i = @number
    alias to_int to_i

    def to_s(base = 10)
      return [to_s(16)].pack('H*') if base == 2
      return @number.to_s(base) unless base == 16
      text = @number.to_s(16).upcase
      text.length.odd? ? "0#{text}" : text
    end

    def ==(other) = @number == other.to_i
    def <=>(other) = @number <=> other.to_i
    def coerce(other) = [other, @number]
  end

  module X509
    class CertificateError < OpenSSLError; end
    class NameError < OpenSSLError; end

    # The name of a holder or an issuer.
    class Name
      COMPAT = 0
      RFC2253 = 17_892_119
      ONELINE = 8_520_479

      include Comparable

      def initialize(parts = []) = @parts = parts
      def to_a = @parts.map(&:dup)

      def to_s(format = nil)
        case format
        when nil then @parts.map { |kind, value| "/#{kind}=#{plain(value)}" }.join
        when COMPAT then to_s[1..].gsub(%r{/(?=(?:C|ST|L|O|OU|CN|SN|DC|UID)=)}, ', ')
        when RFC2253 then quoted { |byte| format('\\%02X', byte) }
        else raise NotImplementedError, "the format #{format} of names of certificates"
        end
      end

      def to_utf8 = quoted(&:chr).force_encoding('UTF-8')
      def inspect = "#<#{self.class} #{to_utf8}>"
      def <=>(other) = other.is_a?(Name) ? to_a <=> other.to_a : nil
      def eql?(other) = other.is_a?(Name) && self == other
      def hash = to_s.hash

      private

      def plain(value)
        value.bytes.map do |byte|
          next format('\\x%02X', byte) unless byte.between?(32, 126)
          %w[/ +].include?(byte.chr) ? "\\#{byte.chr}" : byte.chr
        end.join
      end

      def quoted
        @parts.reverse.map do |kind, value|
          text = value.bytes.map { |byte| byte.between?(32, 126) ? byte.chr.gsub(/[,+"\\<>;]/) { |it| "\\#{it}" } : yield(byte) }
          "#{kind}=".b + text.map(&:b).join
        end.join(',')
      end
    end

    # A certificate that was made elsewhere.
    class Certificate
      attr_reader :subject, :issuer, :serial, :not_before, :not_after, :to_der, :to_pem
      alias to_s to_pem

      def initialize(text)
        found = OpenSSL.__certificate(text)
        raise CertificateError, found if found.is_a?(String)
        @to_der, subject, issuer, serial, from, to, @to_pem = found
        @subject = Name.new(subject)
        @issuer = Name.new(issuer)
        @serial = BN.new(serial)
        @not_before = Time.at(from).utc
        @not_after = Time.at(to).utc
      end

      def ==(other) = other.is_a?(Certificate) && to_der == other.to_der

      def inspect
        "#<#{self.class}: subject=#{subject.inspect}, issuer=#{issuer.inspect}, serial=#{serial.inspect}, " \
          "not_before=#{not_before}, not_after=#{not_after}>"
      end
    end
  end
end
