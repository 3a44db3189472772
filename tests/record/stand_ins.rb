# Writes the tables of files that native functions stand in for (`crates/functions/src/known/*.txt`) from the git repositories of the
# modules:
#
#   ruby tests/record/stand_ins.rb REPOSITORIES [--show]
#
# REPOSITORIES is a directory with a clone of each module below it, named for the module (`stdlib`, `puppetlabs-stdlib`,
# `owner+puppetlabs-stdlib/repo` …). Of every tag, or of every commit where there are no tags, the file of each function is read. A table
# keeps the versions it has, and gets those whose code is the same but for comments and layout. Whether another version does the same is for
# a person to judge: `--show` lists what is left, and adding the digest of one such version below its function makes the next run add all
# that have the same code. Installed modules (MODULES, those of the system by default) are read, too, as the version `packaged`.
require 'digest'

SOURCES = File.expand_path('../../crates/functions/src', __dir__)
MODULES = ENV.fetch('MODULES', '/usr/share/puppet/modules')

# What a file does, without comments, layout, places and documentation: the instructions that Ruby compiles it to.
module Instructions
  OPTIONS = { trace_instruction: false, frozen_string_literal: true }.freeze

  def self.of(code)
    plain(RubyVM::InstructionSequence.compile(code, nil, nil, 1, **OPTIONS).to_a).inspect
  rescue SyntaxError
    code
  end

  # An instruction sequence begins with words about itself; what it is called and its catch table and body count.
  def self.plain(node)
    case node
    when Hash then node.reject { |key, _| %i[doc code_location node_id node_ids].include?(key) }.sort_by(&:inspect).map { |pair| plain(pair) }
    when Array
      return ['iseq', node[5], node[10], plain(node[11]), plain(node[12]), body(node[13])] if node[0] == 'YARVInstructionSequence/SimpleDataFormat'

      node.map { |part| plain(part) }
    else node
    end
  end

  def self.body(instructions)
    kept = instructions.reject { |it| it.is_a?(Integer) || it.to_s.start_with?('RUBY_EVENT') }
    documentation = kept.index([:putobject, :doc])
    kept[documentation, 2] = [] if documentation
    # How many there are of the arguments that are told by name tells nothing but that there is documentation.
    kept.map { |it| it.is_a?(Array) && %i[newhash duphash].include?(it[0]) && documentation ? [:hash] : plain(it) }
  end
end

# A clone of a module, or a directory with one.
class Repository
  def self.find(directory, mod)
    Dir["#{directory}/*"].select { |path| File.basename(path).sub(/\A.*\+/, '').sub(/\A[a-z]+-/, '').tr('-', '_') == mod }
                         .map { |path| new([path, "#{path}/repo", "#{path}/repo/.git"].reverse.find { |it| git?(it) }) }
  end

  def self.git?(path)
    File.directory?("#{path}/objects") || File.directory?("#{path}/.git")
  end

  def initialize(path)
    @path = path
  end

  # Every content of every file of a function, with the versions that have it.
  def versions
    tags = git('tag', '--sort=version:refname').split
    commits = tags.empty? ? git('log', '--format=%H', '--', 'lib/puppet').split.reverse : [*tags, 'HEAD']
    found = Hash.new { |hash, key| hash[key] = [] }
    commits.each do |commit|
      git('ls-tree', '-r', commit, 'lib/puppet/functions', 'lib/puppet/parser/functions').each_line(chomp: true) do |line|
        meta, path = line.split("\t")
        found[[path, meta.split[2]]] << commit[0, 12].delete_prefix('v')
      end
    end
    found
  end

  def content(blob)
    git('cat-file', 'blob', blob)
  end

  private

  def git(*arguments)
    IO.popen(['git', '-C', @path, *arguments], 'rb', &:read)
  end
end

# The table of one module.
class Table
  Version = Struct.new(:path, :digest, :code, :names, :content)

  # The functions of this module that are stand-ins.
  attr_reader :functions

  def initialize(mod, functions, directory)
    @file = "#{SOURCES}/known/#{mod}.txt"
    @functions = functions.sort
    @listed = read
    @versions = installed(mod) + Repository.find(directory, mod).flat_map { |repository| stored(repository) }
  end

  # The functions that a known version of a function calls.
  def calls(name)
    code = known(name).map { |version| version.content.gsub(/^\s*#.*$/, '') }.join("\n")
    code.scan(/\bfunction_(\w+)|call_function\(\s*:?['"]([\w:]+)/).flatten.compact.uniq - [name]
  end

  # `needs` tells for a function which other stand-ins do part of its work.
  def write(needs)
    lines = @functions.flat_map do |name|
      needed = needs.call(name)
      section(name) + (needed.empty? || known(name).empty? ? [] : ["#{name} needs #{needed.join(' ')}"])
    end
    File.write(@file, lines.map { |line| "#{line}\n" }.join)
  end

  # The versions that no one has judged to do the same.
  def others
    @functions.flat_map { |name| groups(name).reject { |group| accepted?(name, group) }.map { |group| [name, group] } }
  end

  private

  def read
    listed = Hash.new { |hash, key| hash[key] = [] }
    current = nil
    (File.exist?(@file) ? File.readlines(@file, chomp: true) : []).each do |line|
      first, = line.split
      line.start_with?(' ') ? listed[current] << first : current = first
    end
    listed
  end

  def paths(name)
    path = name.gsub('::', '/')
    ["lib/puppet/functions/#{path}.rb", "lib/puppet/parser/functions/#{path}.rb"]
  end

  def wanted
    @wanted ||= @functions.flat_map { |name| paths(name) }
  end

  def installed(mod)
    wanted.select { |path| File.file?("#{MODULES}/#{mod}/#{path}") }
          .map { |path| version(path, File.binread("#{MODULES}/#{mod}/#{path}"), ['packaged']) }
  end

  def stored(repository)
    repository.versions.select { |(path, _), _| wanted.include?(path) }
              .map { |(path, blob), names| version(path, repository.content(blob), names) }
  end

  def version(path, content, names)
    content = content.dup.force_encoding('UTF-8')
    Version.new(path, Digest::SHA256.hexdigest(content), Instructions.of(content), names, content)
  end

  # The versions of a function by path and code.
  def groups(name)
    paths(name).flat_map { |path| @versions.select { |version| version.path == path }.group_by(&:code).values }
  end

  def accepted?(name, group)
    group.any? { |version| @listed[name].include?(version.digest) }
  end

  def known(name)
    (@known ||= {})[name] ||= groups(name).select { |group| accepted?(name, group) }.flatten
  end

  def section(name)
    known(name).group_by(&:path).flat_map do |path, versions|
      by_digest = versions.group_by(&:digest).map { |digest, same| "  #{digest} #{span(same.flat_map(&:names))}" }
      ["#{name} #{path}", *by_digest]
    end
  end

  def span(names)
    names = names.uniq - ['packaged']
    return 'packaged' if names.empty?

    names.size > 2 ? "#{names.first}..#{names.last}" : names.join(' ')
  end
end

if $PROGRAM_NAME == __FILE__
  directory = ARGV.fetch(0)
  functions = Dir["#{SOURCES}/{stdlib,modules}/*.rs"].flat_map { |path| File.read(path).scan(/"([\w:]+)" of "(\w+)"/) }
  tables = functions.group_by(&:last).sort.map { |mod, named| Table.new(mod, named.map(&:first), directory) }
  calls = tables.flat_map { |table| table.functions.map { |name| [name, table.calls(name)] } }.to_h
  # All that are called, directly or not, as far as they are stand-ins.
  needs = lambda do |name|
    found = []
    left = [name]
    while (next_one = left.shift)
      fresh = calls.fetch(next_one).select { |called| calls.key?(called) } - found - [name]
      found += fresh
      left += fresh
    end
    found.sort
  end
  tables.each { |table| table.write(needs) }
  if ARGV.include?('--show')
    tables.flat_map(&:others).each do |name, group|
      puts "#{name} #{group[0].path} #{group[0].digest} #{group.flat_map(&:names).uniq.join(' ')}"
    end
  end
end
