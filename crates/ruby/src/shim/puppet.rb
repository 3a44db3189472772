# frozen_string_literal: true

# The part of Puppet's Ruby interface that templates and functions of modules use.

module Puppet
  class Error < RuntimeError
    attr_accessor :original
  end

  # An error that knows a place in Puppet code.
  class ParseError < Error
    attr_accessor :file, :line, :pos

    def initialize(message, file = nil, line = nil, pos = nil, original = nil)
      super(message)
      @file = file if file.is_a?(String)
      @line = line if line.is_a?(Integer)
      @pos = pos
      @original = original
    end
    alias original_message message
  end

  class ParseErrorWithIssue < ParseError; end
  class PreformattedError < ParseErrorWithIssue; end
  class EvaluationError < ParseErrorWithIssue; end
  class ResourceError < Error; end
  class DevError < Error; end
  class ArgumentError < Error; end
  class MissingCommand < Error; end
  class ExecutionFailure < Error; end

  LEVELS = %i[debug info notice warning err alert emerg crit].freeze

  class << self
    LEVELS.each do |level|
      define_method(level) do |message = nil, &block|
        Bunraku.ask('log', level.to_s, (block ? block.call : message).to_s) if shown?(level)
        nil
      end
    end

    # Whether messages of a level are of interest; many are made for nobody.
    def shown?(level)
      least = LEVELS.index(Bunraku.settings['log_level'].to_s.to_sym) || 0
      LEVELS.index(level) >= least
    end

    def version
      Bunraku.settings['puppetversion']
    end

    def [](name)
      settings[name]
    end

    def settings
      Settings
    end

    def lookup(name, *)
      case name.to_sym
      when :current_environment, :root_environment then Node::Environment.current
      when :environments then Node::Environment
      when :loaders then nil
      else yield if block_given?
      end
    end

    def override(*)
      yield
    end

    # The compiler knows whether such warnings are wanted, and gives one for each key.
    def deprecation_warning(message, key = nil)
      place = caller(1, 1).first
      Bunraku.ask('deprecate', (key || place).to_s, "#{message}\n   (location: #{place})")
      nil
    end

    # A warning that the compiler shows only once for the same key.
    def warn_once(_kind, key, message, file = nil, line = nil, level = :warning)
      place = if file == :default
                ''
              elsif file
                "\n   (file: #{file}#{", line: #{line}" if line})"
              else
                line ? "\n   (line: #{line})" : "\n   (file & line not available)"
              end
      Bunraku.ask('log', level.to_s, "#{message}#{place}", key.to_s)
      nil
    end

    def log_exception(error, message = nil, *)
      err(message || error.message)
    end

    def features
      Features
    end
    alias run_mode settings
  end

  # The settings of the environment.
  module Settings
    def self.[](name)
      value = Bunraku.settings.fetch(name.to_s) { Bunraku.ask('setting', name.to_s) }
      %i[strict log_level].include?(name.to_sym) ? value&.to_sym : value
    end

    def self.value(name, *)
      self[name]
    end

    def self.server?
      true
    end

    def self.name
      :server
    end
  end

  # Facts about the machine that code asks as methods, such as `Puppet.features.microsoft_windows?`.
  module Features
    def self.augeas?
      require 'augeas'
      true
    rescue LoadError
      false
    end

    def self.method_missing(name, *)
      name == :posix? || name == :root?
    end

    def self.respond_to_missing?(name, *)
      name.to_s.end_with?('?')
    end
  end

  module Node
    # The environment code is compiled in.
    class Environment
      def self.current
        new(Bunraku.environment_name)
      end

      def self.get(name)
        new(name.to_s)
      end
      singleton_class.alias_method :get!, :get

      attr_reader :name

      def initialize(name)
        @name = name.to_sym
      end

      def to_s
        @name.to_s
      end

      def modulepath
        Bunraku.load_path.map { |path| File.dirname(File.dirname(path)) }.uniq
      end
      alias full_modulepath modulepath

      def module(name)
        Module.find(name, self)
      end

      def modules
        Bunraku.load_path.map { |path| Module.new(File.basename(File.dirname(path)), File.dirname(path)) }
      end
    end
  end

  # A module by its name and directory.
  class Module
    attr_reader :name, :path

    def self.find(name, _environment = nil)
      path = Bunraku.ask('module_path', name.to_s)
      path && new(name.to_s, path)
    end

    def initialize(name, path)
      @name = name
      @path = path
    end

    { file: 'files', template: 'templates', plugin: 'lib' }.each do |kind, directory|
      define_method(kind) do |name = nil|
        full = name ? File.join(@path, directory, name) : File.join(@path, directory)
        full if File.exist?(full)
      end
    end

    def metadata
      file = File.join(@path, 'metadata.json')
      File.file?(file) ? JSON.parse(File.read(file)) : {}
    end

    def version
      metadata['version']
    end
  end

  # A reference to a resource, or a resource of the catalog with its parameters.
  class Resource
    attr_reader :type, :title, :parameters

    def self.of(reference)
      match = reference.to_s.match(/\A([\w:]+)(?:\[(.*)\])?\z/m)
      new(match[1], match[2].to_s.delete_prefix("'").delete_suffix("'"), data: reference.data)
    end

    def self.type_and_title(type, title)
      unless title
        match = type.to_s.match(/\A([^\[\]]+)\[(.+)\]\z/m)
        raise ::ArgumentError, "No title provided and #{type.inspect} is not a valid resource reference" unless match

        type, title = match.captures
      end
      [type.to_s.split('::').map(&:capitalize).join('::'), title]
    end

    # The reference as the compiler gave it, or as it can read it.
    def data
      title = @type == 'Class' ? @title.downcase : @title
      @data || { '__ptype' => 'Type', '__pvalue' => "#{@type}['#{title.gsub(/[\\']/) { |letter| "\\#{letter}" }}']" }
    end

    def initialize(type, title = nil, parameters: {}, data: nil, **)
      @data = data
      type, title = self.class.type_and_title(type, title)
      @type = type
      # The class of everything outside of others has a small letter.
      is_class = @type == 'Class' && title != 'main'
      @title = is_class ? title.to_s.split('::').map(&:capitalize).join('::') : title.to_s
      @parameters = parameters
    end

    def ref
      "#{@type}[#{@title}]"
    end
    alias to_s ref

    def [](name)
      @parameters[name.to_s]
    end

    def to_hash
      { name: @title }.merge(@parameters.compact.transform_keys(&:to_sym))
    end

    def ==(other)
      other.is_a?(Resource) && other.ref == ref
    end
    alias eql? ==

    def hash
      ref.hash
    end
  end

  # Helpers that modules call as `Puppet::Util.…`.
  module Util
    module_function

    def which(command)
      return (command if File.executable?(command)) if command.include?('/')

      ENV['PATH'].to_s.split(':').map { |directory| File.join(directory, command) }
                 .find { |path| File.file?(path) && File.executable?(path) }
    end

    def absolute_path?(path, platform = :posix)
      unless path.is_a?(String)
        Puppet.warning("Cannot check if #{path} is an absolute path because it is a '#{path.class}' and not a String'")
        return false
      end
      platform == :windows ? path.match?(%r{\A([A-Za-z]:[\\/]|[\\/]{2})}) : path.start_with?('/')
    end

    def deterministic_rand(seed, max)
      deterministic_rand_int(seed, max).to_s
    end

    def deterministic_rand_int(seed, max)
      Random.new(seed).rand(max)
    end

    def execute(*arguments, **options)
      Execution.execute(*arguments, **options)
    end

    def symbolizehash(hash)
      hash.transform_keys { |key| key.respond_to?(:intern) ? key.intern : key }
    end

    def create_erb(text)
      ERB.new(text, trim_mode: '-')
    end

    def benchmark(*)
      yield
    end

    # Runs commands of the machine.
    module Execution
      # The output of a command with its exit code.
      class ProcessOutput < String
        attr_reader :exitstatus

        def initialize(text, exitstatus)
          super(text)
          @exitstatus = exitstatus
        end
      end

      module_function

      def execute(command, options = {}, **more)
        require 'open3'
        options = options.merge(more)
        arguments = command.is_a?(Array) ? command.flatten.map(&:to_s) : [command.to_s]
        output, status = Open3.capture2e(*arguments)
        if options.fetch(:failonfail, false) && !status.success?
          raise ExecutionFailure, "Execution of '#{arguments.join(' ')}' returned #{status.exitstatus}: #{output}"
        end

        ProcessOutput.new(output, status.exitstatus)
      rescue SystemCallError => e
        raise ExecutionFailure, "Could not execute '#{arguments.join(' ')}': #{e.message}"
      end

      def execpipe(command, *)
        yield(execute(command))
      end
    end

    # Comparison of version numbers. Compatibility: errors name the place in Puppet's own file.
    module Package
      module_eval <<~'RUBY', '/usr/lib/ruby/vendor_ruby/puppet/util/package.rb', 8
        def self.versioncmp(version_a, version_b, ignore_trailing_zeroes = false)
          # A part is a sign, a number or a word.
          part = /[-.]|\d+|[^-.\d]+/
          version_a.scan(part)
          version_b.scan(part)
          Bunraku.ask('call_function', 'versioncmp', [version_a, version_b, *(true if ignore_trailing_zeroes)])
        end
      RUBY

      def versioncmp(...)
        Package.versioncmp(...)
      end
    end

    # JSON as Puppet loads and dumps it.
    module Json
      class ParseError < StandardError; end

      module_function

      def load(text, *)
        JSON.parse(text)
      rescue JSON::ParserError => e
        raise ParseError, e.message
      end

      def dump(value, options = {})
        options[:pretty] ? JSON.pretty_generate(value) : JSON.generate(value)
      end
    end

    # YAML as Puppet loads it.
    module Yaml
      class YamlLoadError < StandardError; end

      module_function

      def safe_load(text, classes = [], *)
        require 'yaml'
        YAML.safe_load(text, permitted_classes: classes, aliases: true)
      rescue Psych::Exception => e
        raise YamlLoadError, e.message
      end

      def safe_load_file(path, classes = [])
        safe_load(File.read(path), classes)
      end
    end

    # Mixed into functions that log.
    module Logging
      LEVELS.each { |level| define_method(level) { |message| Puppet.send(level, message) } }
    end
  end

  # Where files of modules are.
  module FileSystem
    module_function

    def exist?(path)
      File.exist?(path)
    end

    def dir_exist?(path)
      File.directory?(path)
    end
    alias directory? dir_exist?
    module_function :directory?

    def read(path, **)
      File.read(path)
    end

    def binread(path)
      File.binread(path)
    end

    def read_preserve_line_endings(path)
      File.binread(path).force_encoding('UTF-8')
    end

    def expand_path(path, *directory)
      File.expand_path(path, *directory)
    end

    def pathname(path)
      Pathname.new(path)
    end

    def stat(path)
      File.stat(path)
    end
  end

  module Parser
    # Finds files and templates by `module/path`.
    module Files
      module_function

      def find_template(name, _environment = nil)
        Bunraku.ask('find_file', 'templates', name)
      end

      def find_file(name, _environment = nil)
        Bunraku.ask('find_file', 'files', name)
      end
    end
  end
end

# Facts of the machine that compiles.
module Facter
  module_function

  def value(name)
    Bunraku.ask('fact', name.to_s)
  end
  singleton_class.alias_method :[], :value

  def version
    '4.3.0'
  end
end

# Translations, which are the texts themselves.
class Object
  private

  def _(text)
    text
  end

  def n_(one, many, count)
    count == 1 ? one : many
  end
end
