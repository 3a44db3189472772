#!/usr/bin/env ruby
# frozen_string_literal: true

# Random calls of methods of Ruby's own classes, with what this Ruby answers, as snippets of `tests/ruby`.
#
#   ruby tests/record/ruby_expressions.rb COUNT SEED > /tmp/random.jsonl
#   SNIPPETS=/tmp/random.jsonl cargo test -p bunraku-tests --test ruby


require 'json'
require 'timeout'

count, seed = ARGV.map(&:to_i)
random = Random.new(seed || 1)

$VERBOSE = nil

VALUES = {
  String => ["''", "'a'", "'Hello World'", "'a,b,,c'", '"x\ny\n"', "'é日'", "'12.5kg'", "'  pad '", "'aAbB'", "'%d-%s'"],
  Integer => %w[0 1 -1 7 255 -13 1000000007 2**70],
  Float => %w[0.0 1.5 -2.25 1e20 3.999],
  Array => ['[]', '[1, 2, 3]', "['b', 'a', 'c']", '[3, 1, 2, 1]', '[[1, 2], [3, 4]]', '[nil, 1, false]', "['a', :b, 1.5]"],
  Hash => ['{}', "{ 'a' => 1, 'b' => 2 }", '{ a: 1, b: [2] }', "{ 1 => 'x', nil => 'y' }"],
  Symbol => %w[:a :Foo :b=],
  Range => ['(1..4)', '(1...4)', "('a'..'e')", '(2..)', '(1.0..2.0)'],
  NilClass => ['nil'],
  TrueClass => ['true'],
  Regexp => ['/a/', '/(\w)(\d)?/', '/[A-Z]+/i', '/,/']
}.freeze
BLOCKS = ['', '', '', ' { |x| x }', ' { |x| x.to_s }', ' { |x, y| [y, x] }', ' { |x| x.nil? }', ' { |a, b| b <=> a }', '(&:to_s)', '(&:itself)'].freeze
# Random, endless, about this process or about places.
SKIPPED = /\A(?:hash|object_id|__id__|rand|shuffle!?|sample|cycle|crypt|binding|display|exit!?|abort|sleep|fork|exec|system|spawn|
               loop|gets|select!?.*\?|instance_.*|define_singleton_method|public_send|send|__send__|method|methods|public_method|
               singleton_.*|.*_methods|tap|then|yield_self|extend|to_enum|enum_for|unpack1?|encode!?|force_encoding|unicode_.*|
               each_grapheme_cluster|grapheme_clusters|to_json.*|upto|downto|step|times|pack|product|permutation|combination|repeated_.*|
               !~|clone|dup|freeze|lazy|\*|\*\*|<<|ljust|rjust|center|pred|digits|pow|fill|undump|instance_variable.*)\z/x

all = VALUES.values.flatten
made = 0
while made < count
  kind = VALUES.keys.sample(random: random)
  receiver = VALUES[kind].sample(random: random)
  name = kind.instance_methods.sample(random: random)
  next if name.match?(SKIPPED) || name.end_with?('=') && !name.match?(/\A[=!<>]=+\z/)

  arguments = Array.new([0, 0, 1, 1, 1, 2].sample(random: random)) { all.sample(random: random) }
  block = BLOCKS.sample(random: random)
  call = if block.start_with?('(&')
           ".#{name}(#{[*arguments, block[1..-2]].join(', ')})"
         else
           ".#{name}(#{arguments.join(', ')})#{block}"
         end
  code = "#{receiver}#{call}"
  code = "(#{receiver})#{call}" if receiver.start_with?('-', '2*')
  result = error = nil
  begin
    result = Timeout.timeout(2) { eval(code, TOPLEVEL_BINDING.dup, 'case.rb', 1).inspect }
  rescue SyntaxError, NoMemoryError, SystemStackError, Timeout::Error
    next
  rescue StandardError => e
    error = { class: e.class.name, message: (e.respond_to?(:original_message) ? e.original_message : e.message).lines.first.to_s.chomp }
  end
  next if result && (result.length > 500 || result.match?(/0x\h{8}|Enumerator/))

  made += 1
  puts JSON.generate({ id: "random-#{seed}-#{made}", topic: 'random', code: code, result: result, error: error, stdout: '' })
end
