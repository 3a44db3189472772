# An object whose attributes are those that are set.
class OpenStruct
  def initialize(hash = nil)
    @table = {}
    hash&.each_pair do |name, value|
      @table[name.to_sym] = value
      define_singleton_method(name) { @table[name.to_sym] } if %i[class method test hash type display].include?(name.to_sym)
    end
  end

  def initialize_copy(other)
    @table = other.to_h.dup
  end

  def [](name)
    @table[name.to_sym]
  end

  def []=(name, value)
    raise FrozenError, "can't modify frozen Hash: #{@table.inspect}" if frozen?
    @table[name.to_sym] = value
  end

  def to_h(&block)
    block ? @table.to_h(&block) : @table.dup
  end

  def each_pair(&block)
    return to_enum(:each_pair) unless block
    @table.each_pair(&block)
    self
  end

  def respond_to_missing?(name, include_private = false)
    @table.key?(name.to_s.chomp('=').to_sym) || super
  end

  def method_missing(name, *args)
    text = name.to_s
    if text.end_with?('=')
      self[text.chomp('=')] = args.first
    elsif @table.key?(name)
      raise ArgumentError, "wrong number of arguments (given #{args.size}, expected 0)" unless args.empty?
      @table[name]
    elsif args.empty?
      nil
    else
      raise NoMethodError, "undefined method `#{name}' for #{inspect}"
    end
  end

  def dig(name, *others)
    value = self[name]
    others.empty? || value.nil? ? value : value.dig(*others)
  end

  def delete_field(name)
    name = name.to_sym
    return @table.delete(name) if @table.key?(name)
    return yield if block_given?
    raise NameError.new("no field `#{name}' in #{inspect}", name)
  end

  def ==(other)
    other.is_a?(OpenStruct) && to_h == other.to_h
  end

  def eql?(other)
    other.is_a?(OpenStruct) && to_h.eql?(other.to_h)
  end

  def hash
    @table.hash
  end

  def inspect
    fields = @table.map { |name, value| " #{name}=#{value.inspect}" }
    "#<#{self.class}#{fields.join(',')}>"
  end
  alias to_s inspect
end
