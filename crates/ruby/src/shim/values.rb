# frozen_string_literal: true

# Puppet's values in Ruby, and their form on the pipe: JSON in which `__ptype` marks what JSON does not have.

module Bunraku
  # A value of the compiler that Ruby only hands around.
  class Opaque
    attr_reader :data

    def initialize(data)
      @data = data
    end

    def to_s
      @data['__pvalue'].to_s
    end

    def ==(other)
      other.class == self.class && other.data == @data
    end
    alias eql? ==

    def hash
      @data.hash
    end
  end

  # What a function gives is nothing that the language knows; where nobody uses it, that does not matter.
  class NoValue < StandardError; end

  module Values
    TYPE = '__ptype'
    VALUE = '__pvalue'

    module_function

    def decode(value)
      case value
      when Array then value.map { |item| decode(item) }
      when Hash then value.key?(TYPE) ? decode_rich(value) : value.transform_values { |item| decode(item) }
      else value
      end
    end

    def decode_rich(data)
      value = data[VALUE]
      case data[TYPE]
      when 'Default' then :default
      when 'Symbol' then value.to_sym
      when 'Hash' then value.each_slice(2).to_h { |key, item| [decode(key), decode(item)] }
      when 'Sensitive' then Puppet::Pops::Types::PSensitiveType::Sensitive.new(decode(value))
      when 'Regexp' then Regexp.new(value)
      when 'Binary' then Puppet::Pops::Types::PBinaryType::Binary.from_base64(value)
      when 'SemVer' then SemanticPuppet::Version.new(data)
      when 'SemVerRange' then SemanticPuppet::VersionRange.new(data)
      when 'Timestamp' then Puppet::Pops::Time::Timestamp.new(data)
      when 'Timespan' then Puppet::Pops::Time::Timespan.new(data)
      when 'URI' then uri(value)
      when 'Type' then Puppet::Pops::Types.of(data)
      when 'Resource' then Puppet::Resource.of(Puppet::Pops::Types.of(data))
      when 'LookupContext' then Puppet::Pops::Lookup::Context.new(data)
      else Opaque.new(data)
      end
    end

    def uri(text)
      require 'uri'
      URI.parse(text)
    end

    def encode(value)
      case value
      when nil, true, false then value
      when Integer then encode_integer(value)
      when String then encode_string(value)
      when Symbol then encode_symbol(value)
      when Float
        raise Puppet::Error, "Use of a Ruby Float that is not a number, got '#{value}'" unless value.finite?

        value
      when Array then value.map { |item| encode(item) }
      when Hash then encode_hash(value)
      when Opaque then value.data
      when Regexp then rich('Regexp', value.options.zero? ? value.source : value.to_s)
      when Puppet::Pops::Types::PSensitiveType::Sensitive then rich('Sensitive', encode(value.unwrap))
      when Puppet::Pops::Types::PBinaryType::Binary then rich('Binary', value.to_s)
      when Puppet::Resource then value.data
      when Enumerator, Range then value.map { |item| encode(item) }
      else encode_other(value)
      end
    end

    def encode_string(value)
      return value if value.encoding == Encoding::UTF_8 && value.valid_encoding?
      return value.encode(Encoding::UTF_8) if value.encoding != Encoding::BINARY && value.valid_encoding?

      text = value.dup.force_encoding(Encoding::UTF_8)
      text.valid_encoding? ? rich('Bytes', text) : rich('Binary', [value].pack('m0'))
    end

    def encode_integer(value)
      return value if value.bit_length < 64

      range_end = value.positive? ? 'max' : 'min'
      raise Puppet::Error, "Use of a Ruby Integer outside of Puppet Integer #{range_end} range, got '#{format('0x%x', value)}'"
    end

    def encode_symbol(value)
      case value
      when :undef then nil
      when :default then { TYPE => 'Default' }
      else rich('Symbol', value.to_s)
      end
    end

    def encode_hash(value)
      if value.each_key.all? { |key| key.is_a?(String) && key != TYPE }
        value.transform_values { |item| encode(item) }
      else
        rich('Hash', value.flat_map { |key, item| [encode(key), encode(item)] })
      end
    end

    def encode_other(value)
      return rich('URI', value.to_s) if defined?(::URI::Generic) && value.is_a?(::URI::Generic)
      return value.to_f if defined?(::BigDecimal) && value.is_a?(::BigDecimal)
      if value.is_a?(::Time)
        return rich('Timestamp', value.getutc.strftime('%Y-%m-%dT%H:%M:%S.%N UTC'))
      end
      return encode(value.to_h) if defined?(::Struct) && value.is_a?(::Struct)

      raise NoValue, "an object of the Ruby class #{value.class} is not a Puppet value"
    end

    def rich(type, value)
      { TYPE => type, VALUE => value }
    end

    # Arguments as functions of the old kind see them: no undef on the outside, no data types but references.
    def for_3x(value, inner: false)
      case value
      when nil, :undef then inner ? nil : ''
      when Array then value.map { |item| for_3x(item, inner: true) }
      when Hash then value.to_h { |key, item| [for_3x(key, inner: true), for_3x(item, inner: true)] }
      when Regexp then value.inspect
      when String then value.frozen? ? value.dup : value
      when SemanticPuppet::Version, SemanticPuppet::VersionRange, Puppet::Pops::Time::TimeData,
           Puppet::Pops::Types::PBinaryType::Binary then value.to_s
      when Puppet::Pops::Types::PCatalogEntryType then Puppet::Resource.of(value)
      else value
      end
    end

    # What such a function returns, where `:undef` is undef.
    def from_3x(value)
      case value
      when :undef then nil
      when Array then value.map { |item| from_3x(item) }
      when Hash then value.to_h { |key, item| [from_3x(key), from_3x(item)] }
      else value
      end
    end
  end
end

module SemanticPuppet
  # A version; the compiler knows its rules.
  class Version < Bunraku::Opaque
    include Comparable

    def self.parse(text)
      Bunraku.ask('call_function', 'new', [Puppet::Pops::Types.named('SemVer'), text])
    end

    def self.valid?(text)
      parse(text)
      true
    rescue Puppet::Error, Bunraku::NoValue
      false
    end

    def <=>(other)
      Bunraku.ask('call_function', 'compare', [self, other])
    end
  end

  class VersionRange < Bunraku::Opaque
    def self.parse(text)
      Bunraku.ask('call_function', 'new', [Puppet::Pops::Types.named('SemVerRange'), text])
    end
  end
end
