# Versions, as RubyGems compares them.
module Gem
  VERSION = '3.3.15'

  class LoadError < ::LoadError; end
  class MissingSpecError < Gem::LoadError; end

  def self.ruby_version = Version.new(RUBY_VERSION)
  def self.loaded_specs = {}
  def self.win_platform? = false
  def self.path = []

  class Version
    include Comparable

    VERSION_PATTERN = '[0-9]+(?>\.[0-9a-zA-Z]+)*(-[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?'
    ANCHORED_VERSION_PATTERN = /\A\s*(#{VERSION_PATTERN})?\s*\z/

    def self.correct?(version)
      return false if version.nil?
      ANCHORED_VERSION_PATTERN.match?(version.to_s)
    end

    def self.create(input)
      return input if input.is_a?(Version)
      input.nil? ? nil : new(input)
    end

    def initialize(version)
      raise ArgumentError, "Malformed version number string #{version}" unless self.class.correct?(version)
      text = version.to_s.strip
      text = '0' if text.empty?
      @version = text.gsub('-', '.pre.')
    end

    def version = @version.dup
    alias to_s version
    def segments = @version.scan(/[0-9]+|[a-z]+/i).map { |part| part =~ /\A\d+\z/ ? part.to_i : part }
    def prerelease? = @version.match?(/[a-zA-Z]/)
    def inspect = "#<Gem::Version #{version.inspect}>"
    def hash = canonical_segments.hash
    def eql?(other) = other.is_a?(Version) && @version == other.version

    def <=>(other)
      return self <=> self.class.new(other) if other.is_a?(String) && self.class.correct?(other)
      return nil unless other.is_a?(Version)
      left, right = canonical_segments, other.canonical_segments
      [left.size, right.size].max.times do |index|
        a, b = left[index] || 0, right[index] || 0
        next if a == b
        return -1 if a.is_a?(String) && b.is_a?(Numeric)
        return 1 if a.is_a?(Numeric) && b.is_a?(String)
        return a <=> b
      end
      0
    end

    def canonical_segments
      numbers = segments.take_while { |part| part.is_a?(Integer) }
      words = segments.drop(numbers.size)
      [numbers, words].flat_map { |part| part.reverse.drop_while { |it| it == 0 }.reverse }
    end

    def release
      return self unless prerelease?
      parts = segments
      parts.pop while parts.any?(String)
      self.class.new(parts.join('.'))
    end

    def bump
      parts = segments
      parts.pop while parts.any?(String)
      parts.pop if parts.size > 1
      parts[-1] = parts[-1].succ
      self.class.new(parts.join('.'))
    end

    def approximate_recommendation
      parts = segments
      parts.pop while parts.any?(String)
      parts.pop while parts.size > 2
      parts.push(0) while parts.size < 2
      "~> #{parts.join('.')}"
    end
  end

  class Requirement
    class BadRequirementError < ArgumentError; end

    OPS = {
      '=' => ->(version, wanted) { version == wanted },
      '!=' => ->(version, wanted) { version != wanted },
      '>' => ->(version, wanted) { version > wanted },
      '<' => ->(version, wanted) { version < wanted },
      '>=' => ->(version, wanted) { version >= wanted },
      '<=' => ->(version, wanted) { version <= wanted },
      '~>' => ->(version, wanted) { version >= wanted && version.release < wanted.bump }
    }.freeze

    attr_reader :requirements

    def self.create(*inputs)
      return new(*inputs) if inputs.size > 1
      input = inputs.first
      case input
      when Requirement then input
      when Version, Array then new(*input)
      else input.respond_to?(:to_str) ? new(input.to_str) : default
      end
    end

    def self.default = new('>= 0')

    def self.parse(text)
      return ['=', text] if text.is_a?(Version)
      match = /\A\s*(=|!=|>=|<=|~>|>|<)?\s*(#{Version::VERSION_PATTERN})\s*\z/.match(text.to_s)
      raise BadRequirementError, "Illformed requirement [#{text.inspect}]" unless match
      [match[1] || '=', Version.new(match[2])]
    end

    def initialize(*requirements)
      requirements = requirements.flatten.compact.uniq
      requirements = ['>= 0'] if requirements.empty?
      @requirements = requirements.map { |text| self.class.parse(text) }
    end

    def satisfied_by?(version)
      raise ArgumentError, "Need a Gem::Version: #{version.inspect}" unless version.is_a?(Version)
      @requirements.all? { |operator, wanted| OPS[operator].call(version, wanted) }
    end
    alias === satisfied_by?
    alias =~ satisfied_by?

    def to_s = @requirements.map { |operator, version| "#{operator} #{version}" }.join(', ')
    def as_list = @requirements.map { |operator, version| "#{operator} #{version}" }
    def exact? = @requirements.size == 1 && @requirements[0][0] == '='
    def inspect = "Gem::Requirement.new(#{as_list.map(&:inspect).join(', ')})"
    def ==(other) = other.is_a?(Requirement) && as_list.sort == other.as_list.sort
  end

  class Dependency
    attr_reader :name, :requirement

    def initialize(name, *requirements)
      @name = name
      @requirement = Requirement.create(*requirements.flatten)
    end

    def match?(name, version, _allow_prerelease = false)
      @name === name && @requirement.satisfied_by?(Version.new(version))
    end
    alias === match?

    def to_s = "#{@name} (#{@requirement})"
  end

  class Specification
    def self.find_by_name(name, *_requirements) = raise(Gem::MissingSpecError, "Could not find '#{name}' (>= 0) among 0 total gem(s)")
    def self.find_all_by_name(*) = []
    def self.stubs = []
  end
end
