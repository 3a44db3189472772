# frozen_string_literal: true

# Starts the conversation: tells that everything is loaded, then answers.

module Bunraku
  HANDLERS = {
    'environment' => ->(message) { enter(message) },
    'compile' => ->(message) { Template.compile(message['path'], message['text']) },
    'render' => ->(message) { Template.render(message) },
    'describe' => ->(message) { describe(message['path'], message['text']) },
    'call' => ->(message) { call(message) },
    'yield' => ->(message) { call_block(message['block'], message['args']) }
  }.freeze

  open_pipes
  limit(**JSON.parse(ARGV.fetch(0), symbolize_names: true))
  send_message('ok' => RUBY_VERSION)
  serve
end
