#!/usr/bin/env ruby
# frozen_string_literal: true

# Variations of the recorded snippets of `tests/ruby` with what this Ruby answers: names of methods, literals, operators
# and constants are exchanged for others of the same file. What is unlike shows rules that no snippet has yet.
#
#   ruby tests/record/ruby_variations.rb COUNT SEED [TOPIC] > /tmp/variations.jsonl
#   SNIPPETS=/tmp/variations.jsonl cargo test -p bunraku-tests --test ruby
#
# Every variation runs twice in a process of its own; it is left out unless both answers are the same. Nothing runs that
# names files, processes, the clock or chance. Run it as a user who may write nothing of worth all the same.

require 'json'
require 'ripper'
require 'stringio'
require 'tmpdir'

COUNT, SEED = ARGV.first(2).map(&:to_i)
TOPIC = Regexp.new(ARGV[2] || '.')
RANDOM = Random.new(SEED)
SKIPPED_TOPICS = %r{\Alibrary/file|suggestions|full_message|variations}
# Effects, chance, this process, and what never ends.
DANGEROUS = /system|`|fork|exec\b|exit|kill|spawn|trap|popen|Open3|sleep|File|Dir\b|IO\b|Tempfile|Pathname|rm_|object_id|Process|
             ObjectSpace|GC|rand|shuffle|sample|__id__|\bhash\b|binding|caller|set_trace|Thread|Timeout|loop|retry|redo|
             while|until|require_relative|_methods|\bmethods\b|constants|_variables\b|memsize|crypt|\$\$|Etc|Random|cycle|
             \bnow\b|today|ENV|\bSocket\b|DATA|STDIN|gets|readline/x
CLASSES = {
  'string' => [String], 'array' => [Array], 'hash' => [Hash], 'number' => [Integer, Float],
  'regexp' => [Regexp, MatchData, String], 'range' => [Range], 'symbol' => [Symbol, NilClass], 'proc' => [Proc, Method],
  'object' => [Object], 'class' => [Module, Class], 'exception' => [Exception]
}.freeze
OPERATORS = %w[+ - * / % ** == != < > <= >= <=> === =~ & | << >> && ||].freeze
NUMBERS = %w[0 1 2 -1 10 100 65 1.5 nil 2**70].freeze

# The tokens of code, and of each that may be exchanged its kind.
def tokens(code)
  within_regexp = 0
  before = nil
  Ripper.lex(code).map do |_, type, text|
    within_regexp += { on_regexp_beg: 1, on_regexp_end: -1 }.fetch(type, 0)
    kind = case type
           when :on_ident then { on_period: :method, on_symbeg: :symbol }[before]
           when :on_const then before == :on_symbeg ? :symbol : :constant
           when :on_int, :on_float then type
           when :on_tstring_content then within_regexp.positive? ? :pattern : :text
           when :on_op then :operator if OPERATORS.include?(text)
           when :on_kw then :word if %w[nil true false].include?(text)
           end
    before = type
    [text, kind]
  end
end

def file_of(topic) = topic.start_with?('library') ? topic : topic[/\w+/]

def other(text, kind, pool)
  case kind
  when :operator then OPERATORS.sample(random: RANDOM)
  when :word then %w[nil true false].sample(random: RANDOM)
  when :on_int then (RANDOM.rand < 0.3 ? NUMBERS : pool).sample(random: RANDOM)
  when :text then RANDOM.rand < 0.7 ? pool.sample(random: RANDOM) : text[0..RANDOM.rand(text.length)]
  else pool.sample(random: RANDOM)
  end
end

# What code answers in a process and a directory of its own; nothing if it takes too long.
def answer(snippet)
  reader, writer = IO.pipe
  child = fork do
    reader.close
    output = $stdout = StringIO.new
    $stderr = StringIO.new
    found = { 'result' => nil, 'error' => nil }
    Dir.mktmpdir do |directory|
      Dir.chdir(directory)
      place = TOPLEVEL_BINDING.dup
      eval(snippet['setup'], place, 'setup.rb', 1) if snippet['setup']
      found['result'] = eval(snippet['code'], place, 'case.rb', 1).inspect
    rescue Exception => e # rubocop:disable Lint/RescueException
      message = e.respond_to?(:original_message) ? e.original_message : e.message
      found['error'] = { 'class' => e.class.name, 'message' => message }
    end
    writer.write(JSON.generate(found.merge('stdout' => output.string)))
  rescue StandardError
    nil
  ensure
    exit!(0)
  end
  writer.close
  text = IO.select([reader], nil, nil, 5) ? reader.read : ''
  Process.kill(:KILL, child) if text.empty?
  Process.wait(child)
  JSON.parse(text.gsub(/0x0000\h{12}/, '0x0')) unless text.empty?
ensure
  reader.close
end

$VERBOSE = nil
files = Dir[File.expand_path('../ruby/*.jsonl', __dir__)].sort
snippets = files.flat_map { |file| File.readlines(file).map { |line| JSON.parse(line) } }
snippets.reject! { |it| it['topic'].match?(SKIPPED_TOPICS) || it['code'].match?(DANGEROUS) }
pools = Hash.new { |all, file| all[file] = Hash.new { |kinds, kind| kinds[kind] = [] } }
snippets.each do |snippet|
  tokens(snippet['code']).each { |text, kind| pools[file_of(snippet['topic'])][kind] |= [text] if kind }
end
CLASSES.each do |file, classes|
  names = classes.flat_map { |it| it.instance_methods.map(&:to_s) }.grep(/\A[a-z]\w*[?!]?\z/).grep_v(/eval|instance_var/)
  pools[file][:method] |= names.grep_v(DANGEROUS)
end

seen = snippets.to_h { |it| [it['code'], true] }
chosen = snippets.select { |it| it['topic'].match?(TOPIC) }
made = 0
(COUNT * 30).times do
  break if made >= COUNT

  snippet = chosen.sample(random: RANDOM)
  parts = tokens(snippet['code'])
  places = parts.each_index.select { |it| parts[it][1] }
  next if places.empty?

  [1, 1, 1, 2, 2, 3].sample(random: RANDOM).times do
    text, kind = parts[place = places.sample(random: RANDOM)]
    parts[place] = [other(text, kind, pools[file_of(snippet['topic'])][kind]) || text, kind]
  end
  code = parts.map(&:first).join
  next if seen[code] || code.length > 600 || code.match?(DANGEROUS) || !Ripper.sexp(code)

  seen[code] = true
  varied = snippet.slice('setup', 'topic').merge('code' => code)
  found = answer(varied)
  next if found.nil? || found != answer(varied) || found.dig('error', 'class') == 'SyntaxError'

  made += 1
  puts JSON.generate({ 'id' => "varied-#{SEED}-#{made}" }.merge(varied, found))
end
