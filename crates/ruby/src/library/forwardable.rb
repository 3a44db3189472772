# Methods that are passed on to another object.
module Forwardable
  def instance_delegate(table)
    table.each_pair do |methods, accessor|
      Array(methods).each { |name| def_instance_delegator(accessor, name) }
    end
  end
  alias delegate instance_delegate

  def def_instance_delegators(accessor, *names)
    names.each { |name| def_instance_delegator(accessor, name) unless %i[__send__ __id__].include?(name.to_sym) }
  end
  alias def_delegators def_instance_delegators

  def def_instance_delegator(accessor, name, own_name = name)
    accessor = accessor.to_s
    body = proc do |*args, **options, &block|
      target = accessor.start_with?('@') && !accessor.start_with?('@@') ? instance_variable_get(accessor) : instance_eval(accessor)
      target.__send__(name, *args, **options, &block)
    end
    is_a?(Module) ? define_method(own_name, &body) : define_singleton_method(own_name, &body)
    own_name.to_sym
  end
  alias def_delegator def_instance_delegator
end

module SingleForwardable
  def def_single_delegator(accessor, name, own_name = name)
    accessor = accessor.to_s
    define_singleton_method(own_name) { |*args, **options, &block| instance_eval(accessor).__send__(name, *args, **options, &block) }
  end
  alias def_delegator def_single_delegator

  def def_single_delegators(accessor, *names) = names.each { |name| def_single_delegator(accessor, name) }
  alias def_delegators def_single_delegators
end
