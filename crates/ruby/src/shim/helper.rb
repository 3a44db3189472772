# frozen_string_literal: true

# What the compiler asks of the helper: to load a file with functions, to call one, to call a block.

module Bunraku
  @functions = []

  class << self
    # Loads a file that defines a function and tells what it defines. A file of the old kind may define several: the
    # last one is meant, and must be what the file gives.
    def describe(path, text)
      @described = []
      is_old = path.include?('/parser/functions/')
      surroundings = is_old ? TOPLEVEL_BINDING.dup : Puppet::Pops::Loader::RubyFunctionInstantiator.surroundings
      value = eval(text, surroundings, path) # rubocop:disable Security/Eval
      raise Puppet::Error, 'the file does not define a function' if @described.empty?

      *others, last = @described.map { |function| number(function) }
      result = value.is_a?(Hash) ? nil : value.class.name
      last.merge('others' => others, 'result' => last['kind'] == '3x' ? result : nil)
    end

    def call(message)
      begin_call(message)
      block = message['block'] && block_of(message['block'])
      arguments = Values.decode(message['args'])
      function = @functions.fetch(message['function'])
      result = function.call(message['dispatch'], arguments, message['by_ruby'], &block)
      Values.encode(result)
    end

    def call_block(number, arguments)
      Values.encode(blocks.fetch(number).call(*Values.decode(arguments)))
    end

    private

    def number(function)
      @functions << function
      function.description.merge('id' => @functions.size - 1)
    end

    # A lambda of Puppet as a block of Ruby.
    def block_of(description)
      block = proc { |*arguments| ask('call_block', *arguments) }
      block.define_singleton_method(:arity) { description['arity'] }
      block
    end
  end
end
