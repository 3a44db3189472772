# A set: a hash whose keys are the members.
class Set
  include Enumerable

  InspectKey = :__inspect_key__

  def self.[](*items)
    new(items)
  end

  def initialize(items = nil, &block)
    @hash = {}
    return if items.nil?
    raise ArgumentError, 'value must be enumerable' unless items.respond_to?(:each)
    if block
      items.each { |item| add(block.call(item)) }
    else
      items.each { |item| add(item) }
    end
  end

  def initialize_copy(other)
    @hash = other.to_h_of_members.dup
  end

  def to_h_of_members
    @hash
  end

  def add(item)
    @hash[item] = true
    self
  end
  alias << add

  def add?(item)
    include?(item) ? nil : add(item)
  end

  def delete(item)
    @hash.delete(item)
    self
  end

  def delete?(item)
    include?(item) ? delete(item) : nil
  end

  def include?(item)
    @hash.key?(item)
  end
  alias member? include?
  alias === include?
  alias contain? include?

  def size
    @hash.size
  end
  alias length size
  alias count_of_members size

  def count(*args, &block)
    args.empty? && block.nil? ? @hash.size : super
  end

  def empty?
    @hash.empty?
  end

  def each(&block)
    return to_enum(:each) unless block
    @hash.each_key(&block)
    self
  end

  def to_a
    @hash.keys
  end

  def to_set
    self
  end

  def first(*args)
    to_a.first(*args)
  end

  def clear
    @hash.clear
    self
  end

  def merge(other)
    raise ArgumentError, 'value must be enumerable' unless other.respond_to?(:each)
    other.each { |item| add(item) }
    self
  end

  def reset
    raise FrozenError, "can't modify frozen #{self.class}: #{inspect}" if frozen?
    @hash.rehash
    self
  end

  def compare_by_identity
    @hash.compare_by_identity
    self
  end

  def compare_by_identity? = @hash.compare_by_identity?

  def replace(other)
    clear
    merge(other)
  end

  def subtract(other)
    other.each { |item| delete(item) }
    self
  end

  def |(other)
    raise ArgumentError, 'value must be enumerable' unless other.respond_to?(:each)
    dup.merge(other)
  end
  alias + |
  alias union |

  def &(other)
    raise ArgumentError, 'value must be enumerable' unless other.respond_to?(:each)
    made = self.class.new
    other.each { |item| made.add(item) if include?(item) }
    made
  end
  alias intersection &

  def -(other)
    raise ArgumentError, 'value must be enumerable' unless other.respond_to?(:each)
    dup.subtract(other)
  end
  alias difference -

  def ^(other)
    made = self.class.new(other)
    each { |item| made.add?(item) || made.delete(item) }
    made
  end

  def ==(other)
    return true if equal?(other)
    other.is_a?(Set) && size == other.size && other.all? { |item| include?(item) }
  end

  def eql?(other)
    other.is_a?(Set) && self == other
  end

  def hash
    @hash.keys.map { |item| item.hash }.sort.hash
  end

  def superset?(other)
    raise ArgumentError, 'value must be a set' unless other.is_a?(Set)
    size >= other.size && other.all? { |item| include?(item) }
  end
  alias >= superset?

  def proper_superset?(other)
    raise ArgumentError, 'value must be a set' unless other.is_a?(Set)
    size > other.size && superset?(other)
  end
  alias > proper_superset?

  def subset?(other)
    raise ArgumentError, 'value must be a set' unless other.is_a?(Set)
    other.superset?(self)
  end
  alias <= subset?

  def proper_subset?(other)
    raise ArgumentError, 'value must be a set' unless other.is_a?(Set)
    other.proper_superset?(self)
  end
  alias < proper_subset?

  def <=>(other)
    return nil unless other.is_a?(Set)
    return 0 if self == other
    return -1 if proper_subset?(other)
    return 1 if proper_superset?(other)
    nil
  end

  def intersect?(other)
    raise ArgumentError, 'value must be a set' unless other.is_a?(Enumerable)
    any? { |item| other.include?(item) }
  end

  def disjoint?(other)
    !intersect?(other)
  end

  def map!(&block)
    replace(map(&block))
  end
  alias collect! map!

  def select!(&block)
    before = size
    keep_if(&block)
    before == size ? nil : self
  end
  alias filter! select!

  def reject!(&block)
    before = size
    delete_if(&block)
    before == size ? nil : self
  end

  def keep_if
    to_a.each { |item| delete(item) unless yield(item) }
    self
  end

  def delete_if
    to_a.each { |item| delete(item) if yield(item) }
    self
  end

  def classify(&block)
    to_a.group_by(&block).transform_values { |items| self.class.new(items) }
  end

  # Groups of members that belong together: by what the block says of each, or of each two, directly or not.
  def divide(&block)
    return self.class.new(classify(&block).values) unless block.arity == 2
    waiting = to_a
    groups = []
    until waiting.empty?
      group = [waiting.shift]
      group.each do |item|
        near, waiting = waiting.partition { |other| block.call(item, other) && block.call(other, item) }
        group.concat(near)
      end
      groups << self.class.new(group)
    end
    self.class.new(groups)
  end

  def join(separator = nil)
    to_a.join(separator)
  end

  def flatten
    made = self.class.new
    each { |item| item.is_a?(Set) ? made.merge(item.flatten) : made.add(item) }
    made
  end

  def flatten!
    any?(Set) ? replace(flatten) : nil
  end

  def freeze
    @hash.freeze
    super
  end

  def inspect
    "#<#{self.class}: {#{to_a.map { |item| item.inspect }.join(', ')}}>"
  end
  alias to_s inspect
end

module Enumerable
  def to_set(&block)
    Set.new(self, &block)
  end
end
