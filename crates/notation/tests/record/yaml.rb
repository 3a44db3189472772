#!/usr/bin/env ruby
# frozen_string_literal: true

# Records what Psych makes of YAML texts: one JSON string per line on standard input,
# one case ({"text", "expect"}) per line on standard output.

require 'json'
require 'yaml'

def plain(value)
  case value
  when Symbol then { '$symbol' => value.to_s }
  when Integer then value.bit_length < 64 ? value : { '$integer' => value.to_s }
  when Float then { '$float' => value.to_s }
  when String then value.dup.force_encoding('UTF-8').scrub
  when Array then value.map { |element| plain(element) }
  when Hash then { '$hash' => value.map { |key, element| [plain(key), plain(element)] } }
  else value
  end
end

$stdin.each_line do |line|
  text = JSON.parse(line)
  expect =
    begin
      value = YAML.safe_load(text, permitted_classes: [Symbol], aliases: true, filename: 'data.yaml', fallback: :nothing)
      value == :nothing ? { 'empty' => true } : { 'value' => plain(value) }
    rescue Psych::DisallowedClass => e
      { 'error' => "(data.yaml): #{e.message}" }
    rescue StandardError, Psych::Exception => e
      { 'error' => e.message }
    end
  puts JSON.generate('text' => text, 'expect' => expect)
end
