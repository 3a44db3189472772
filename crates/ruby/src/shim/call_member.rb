# frozen_string_literal: true

# Calls a function of a data type that a module creates in Ruby. The compiler has the objects; here one is made for the call.
module ::Bunraku
  module DataTypes
    # What a file says about the implementation of its type.
    class Builder
      attr_reader :block, :ruby_class

      def interface(_text); end

      def implementation(&block)
        @block = block
      end

      def implementation_class(ruby_class)
        @ruby_class = ruby_class
      end

      def load_file(name)
        require name
      end
    end

    @builders = {}

    class << self
      attr_accessor :built

      def object(path, text, attributes)
        builder = @builders[text] ||= build(path, text)
        return builder.ruby_class.new(*attributes.values) if builder.ruby_class

        object = Class.new.new
        attributes.each do |name, value|
          object.instance_variable_set("@#{name}", value)
          object.define_singleton_method(name) { value }
        end
        object.singleton_class.class_eval(&builder.block)
        object
      end

      private

      def build(path, text)
        self.built = nil
        eval(text, TOPLEVEL_BINDING.dup, path) # rubocop:disable Security/Eval
        built
      end
    end
  end
end

module ::Puppet
  module DataTypes
    def self.create_type(_name, &block)
      Bunraku::DataTypes.built = Bunraku::DataTypes::Builder.new.tap { |builder| builder.instance_eval(&block) }
    end
  end
end

Puppet::Functions.create_function(:'bunraku::call_member') do
  dispatch :call_member do
    param 'String', :path
    param 'String', :text
    param 'Hash', :attributes
    param 'String', :name
    repeated_param 'Any', :arguments
  end

  def call_member(path, text, attributes, name, *arguments)
    Bunraku::DataTypes.object(path, text, attributes).public_send(name, *arguments)
  end
end
