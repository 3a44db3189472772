# frozen_string_literal: true

# The object a template is evaluated in. Written with its full name, because constants of a template are looked up in
# this class alone and not in the modules around it.
class Puppet::Parser::TemplateWrapper
  Puppet::LEVELS.each { |level| define_method(level) { |message| Puppet.send(level, message) } }

  def initialize(scope, file, variables)
    @__scope__ = scope
    @__file__ = file
    variables.each do |name, value|
      instance_variable_set("@#{name.gsub(/[^\w]/, '_')}", value) unless value.nil?
    end
  end

  def file
    @__file__
  end

  def scope
    @__scope__
  end

  def has_variable?(name)
    scope.include?(name.to_s)
  end

  def classes
    scope.catalog.classes
  end

  def tags
    raise NotImplementedError, "Call 'all_tags' instead."
  end

  def all_tags
    scope.catalog.tags
  end

  def to_s
    "template[#{@__file__ || 'inline'}]"
  end

  # Evaluates source that does not fit into a method, such as one that assigns a constant.
  def __evaluate__(erb)
    erb.result(binding)
  end
end
