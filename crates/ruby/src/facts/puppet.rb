# frozen_string_literal: true

# What Puppet is for custom facts: its settings. Whatever else they name is left to an installed Puppet.

module Puppet
  class << self
    def initialize_settings(*); end

    def [](name)
      value = Bunraku.ask('setting', name.to_s)
      value.nil? ? Bunraku.lacking("the setting #{name} of Puppet") : value
    end

    def method_missing(name, *)
      Bunraku.lacking("the method Puppet.#{name}")
    end

    def respond_to_missing?(*)
      false
    end

    def const_missing(name)
      Bunraku.lacking("the constant Puppet::#{name}")
    end
  end

  module Util
    # Compares versions by the first part in which they differ, numbers without leading zeros as numbers.
    module Package
      PARTS = /[-.]|\d+|[^-.\d]+/.freeze

      def self.versioncmp(left, right)
        pairs = left.scan(PARTS).zip(right.scan(PARTS)).take_while { |_, part| part }
        one, other = pairs.find { |part, another| part != another }
        return left <=> right unless one

        %w[- .].each do |mark|
          return -1 if one == mark
          return 1 if other == mark
        end
        are_numbers = [one, other].all? { |part| part.match?(/\A(0\z|[1-9]\d*\z)/) }
        are_numbers ? one.to_i <=> other.to_i : one.upcase <=> other.upcase
      end
    end
  end

  # `Puppet.settings` is asked in the same way.
  module Settings
    def self.[](name)
      Puppet[name]
    end

    def self.value(name, *)
      Puppet[name]
    end

    def self.method_missing(name, *)
      Bunraku.lacking("the method #{name} of the settings of Puppet")
    end

    def self.respond_to_missing?(*)
      false
    end
  end
end
