# Classes that have one instance.
module Singleton
  def self.included(base)
    base.extend(ClassMethods)
    base.private_class_method :new, :allocate
  end

  module ClassMethods
    def instance
      @singleton__instance__ ||= new
    end

    def inherited(base)
      super
      base.instance_variable_set(:@singleton__instance__, nil)
    end
  end

  def clone(**_options) = raise(TypeError, "can't clone instance of singleton #{self.class}")
  def dup = raise(TypeError, "can't dup instance of singleton #{self.class}")
end
