# frozen_string_literal: true

# ERB templates. A template is compiled once into a method; the variables it names are known from its text, so that
# the compiler can send exactly those along.

require 'erb'

module Bunraku
  # A template, ready to be rendered.
  class Template
    # Words with which a template may reach variables that its text does not name.
    REFLECTION = /instance_variable|\bbinding\b|\beval\b|instance_eval/.freeze

    # Words with which a template may change a value in place.
    MUTATION = /<<|\]\s*=[^=~>]|\w!|\.(?:append|clear|concat|delete|insert|keep_if|pop|prepend|push|replace|shift|store|unshift|update)\b/.freeze

    @all = []

    class << self
      def compile(path, text)
        @all << new(@all.size, path, text)
        { 'id' => @all.size - 1, 'variables' => @all.last.variables }
      end

      def render(message)
        Bunraku.begin_call(message)
        template = @all.fetch(message['id'])
        variables = Values.decode(message['variables'])
        text = Values.encode_string(template.render(variables))
        { 'text' => text, 'changed' => template.changed(variables, message['variables']) }
      end
    end

    def initialize(id, path, text)
      @path = path
      @text = text
      @erb = ERB.new(text, trim_mode: '-')
      @erb.filename = path
      @method = :"__template_#{id}"
      # Two lines go before the first of the template: a magic comment and the head of the method.
      source = @erb.src.sub(/^(?!#|$)/, "def #{@method}\n")
      Puppet::Parser::TemplateWrapper.class_eval("#{source}\nend\n", path || '(erb)', -1)
    rescue SyntaxError
      @method = nil
    end

    # The names of variables, or nothing where only all of them will do.
    def variables
      REFLECTION.match?(@text) ? nil : @text.scan(/@([A-Za-z_]\w*)/).flatten.uniq
    end

    # Compatibility: a template may change the lists, hashes and texts it is given, and Puppet code sees that.
    def changed(variables, before)
      return unless MUTATION.match?(@text)

      after = variables.transform_values { |value| Values.encode(value) }
      after.reject { |name, value| before[name] == value }
    end

    def render(variables)
      wrapper = Puppet::Parser::TemplateWrapper.new(Puppet::Parser::Scope.new, @path, variables)
      @method ? wrapper.send(@method) : wrapper.__evaluate__(@erb)
    end
  end
end
