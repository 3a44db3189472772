#!/usr/bin/env ruby
# frozen_string_literal: true

# Prints the syntax trees of manifests and templates as the reference implementation sees them.
#
# Reads paths on stdin, one a line, and writes for each of them one line of JSON: the path, and either "pn" or "error"
# with its message, line and column. Needs only the puppet-agent package.
#
#   find modules -name '*.pp' -o -name '*.epp' | tests/tools/reference_pn.rb > expected.jsonl

ENV['LC_ALL'] = 'C.UTF-8'
Encoding.default_external = Encoding::UTF_8

require 'json'
require 'puppet'
require 'puppet/pops/pn'

# The dump of a parameter that captures the rest calls this, but the release does not define it.
unless Puppet::Pops::PN.respond_to?(:Literal)
  Puppet::Pops::PN.define_singleton_method(:Literal) { |value| Puppet::Pops::PN::Literal.new(value) }
end

Puppet.initialize_settings([], true, true)
Puppet::Util::Log.level = :crit

parsers = {
  false => Puppet::Pops::Parser::Parser.new,
  true => Puppet::Pops::Parser::EppParser.new
}

$stdin.each_line(chomp: true) do |path|
  record = { 'path' => path }
  begin
    source = File.read(path, encoding: 'utf-8')
    model = parsers[path.end_with?('.epp')].parse_string(source, path).model
    text = +''
    Puppet::Pops::Model::PNTransformer.transform(model).format(nil, text)
    record['pn'] = text
  rescue Puppet::ParseError => e
    record['error'] = { 'message' => e.basic_message, 'line' => e.line, 'column' => e.pos }
  rescue StandardError => e
    record['error'] = { 'message' => e.message }
  end
  puts JSON.generate(record)
end
