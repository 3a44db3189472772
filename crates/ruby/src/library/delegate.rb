# Objects that pass on what they do not know.
class Delegator < BasicObject
  kernel = ::Kernel.dup
  include ::Kernel

  %i[to_s inspect =~ !~ === <=> hash eql? to_enum enum_for display instance_of? kind_of? is_a? then yield_self itself tap methods].each do |name|
    undef_method name if ::Kernel.method_defined?(name) && !%i[is_a? kind_of? instance_of? tap then itself].include?(name)
  end

  def initialize(object)
    __setobj__(object)
  end

  def method_missing(name, *args, **options, &block)
    target = __getobj__
    if target.respond_to?(name)
      target.__send__(name, *args, **options, &block)
    elsif ::Kernel.private_method_defined?(name) || ::Kernel.method_defined?(name)
      ::Kernel.instance_method(name).bind(self).call(*args, **options, &block)
    else
      super
    end
  end

  def respond_to_missing?(name, include_private) = __getobj__.respond_to?(name, include_private)
  def ==(other) = other.equal?(self) || __getobj__ == other
  def !=(other) = !(self == other)
  def ! = !__getobj__
  def methods(all = true) = __getobj__.methods(all)
end

class SimpleDelegator < Delegator
  def __getobj__ = @delegate_sd_obj

  def __setobj__(object)
    @delegate_sd_obj = object
  end
end

def DelegateClass(superclass)
  kind = Class.new(Delegator) do
    def __getobj__ = @delegate_dc_obj

    def __setobj__(object)
      @delegate_dc_obj = object
    end
  end
  superclass.public_instance_methods.each do |name|
    next if %i[__send__ __id__ object_id respond_to? method_missing equal? instance_eval instance_exec to_s inspect].include?(name) || Delegator.method_defined?(name)
    kind.define_method(name) { |*args, **options, &block| __getobj__.__send__(name, *args, **options, &block) }
  end
  kind
end
