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
end
