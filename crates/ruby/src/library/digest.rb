# What the module says of algorithms that it does not have.
module Digest
  def self.hexencode(bytes) = bytes.unpack1('H*')

  [MD5, SHA1, SHA256, SHA384, SHA512].each do |kind|
    kind.define_singleton_method(:file) { |path| new.file(path) }
    kind.class_eval do
      def file(path) = update(File.binread(path))
      def ==(other) = other.is_a?(String) ? hexdigest == other : other.respond_to?(:digest) && digest == other.digest
      def length = digest_length
      def name = self.class.name
      alias_method :size, :length
    end
  end

  def self.const_missing(name)
    raise LoadError, "library not found for class Digest::#{name} -- digest/#{name.to_s.downcase}"
  end
end
