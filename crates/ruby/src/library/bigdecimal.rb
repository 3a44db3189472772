# Decimal numbers of any length, kept as fractions.
class BigDecimal < Numeric
  ROUND_MODE = 256
  ROUND_HALF_UP = 3
  ROUND_HALF_EVEN = 7
  ROUND_DOWN = 2
  ROUND_UP = 1

  attr_reader :fraction

  def self.of(fraction) = allocate.tap { |made| made.instance_variable_set(:@fraction, fraction) }

  def self.read(text)
    body = text.to_s.strip.delete('_')
    raise ArgumentError, "invalid value for BigDecimal(): #{text.inspect}" unless body =~ /\A[+-]?(?:\d+\.?\d*|\.\d+)(?:[eEdD][+-]?\d+)?\z/
    of(Rational(body.sub(/[dD]/, 'e').sub(/\A([+-]?)\./, '\10.').sub(/\.(?=e|\z)/i, '')))
  end

  def +(other) = calculate(other) { |number| @fraction + number }
  def -(other) = calculate(other) { |number| @fraction - number }
  def *(other) = calculate(other) { |number| @fraction * number }

  def /(other)
    calculate(other) do |number|
      raise ZeroDivisionError, 'divided by 0' if number == 0
      exact = @fraction / number
      rest = exact.denominator
      rest /= 2 while rest.even?
      rest /= 5 while rest % 5 == 0
      rest == 1 ? exact : exact.round(20)
    end
  end
  alias quo /

  def %(other) = calculate(other) { |number| @fraction % number }
  def **(other) = BigDecimal.of(@fraction**other)
  alias power **
  def -@ = BigDecimal.of(-@fraction)
  def abs = BigDecimal.of(@fraction.abs)
  def div(other, digits = nil) = digits ? (self / other).round(digits) : (@fraction / value_of(other)).floor
  def <=>(other) = other.is_a?(Numeric) ? @fraction <=> value_of(other) : nil
  def ==(other) = other.is_a?(Numeric) && @fraction == value_of(other)
  alias eql? ==
  def hash = @fraction.hash
  def coerce(other) = [BigDecimal.of(Rational(other)), self]
  def zero? = @fraction == 0
  def nan? = false
  def infinite? = nil
  def finite? = true
  def negative? = @fraction < 0
  def positive? = @fraction > 0
  def sign = @fraction == 0 ? 1 : (@fraction <=> 0) * 2
  def to_i = @fraction.to_i
  alias to_int to_i
  alias fix to_i
  def to_f = @fraction.to_f
  def to_r = @fraction
  def to_d = self
  def floor(digits = nil) = rounded(digits) { |count| @fraction.floor(count) }
  def ceil(digits = nil) = rounded(digits) { |count| @fraction.ceil(count) }
  def truncate(digits = nil) = rounded(digits) { |count| @fraction.truncate(count) }

  def round(digits = nil, mode = nil, **options)
    half = options[:half] || { ROUND_HALF_EVEN => :even, half_even: :even, banker: :even, half_down: :down }[mode]
    return truncate(digits) if [ROUND_DOWN, :down, :truncate].include?(mode)
    rounded(digits) { |count| @fraction.round(count, half: half || :up) }
  end

  def exponent
    return 0 if zero?
    digits, point = digits_and_point
    point
  end

  def precs = [digits_and_point[0].length, digits_and_point[0].length]

  def to_s(format = nil)
    digits, point = digits_and_point
    sign = @fraction < 0 ? '-' : (format.to_s.start_with?('+') ? '+' : '')
    return "#{sign}0.0" if zero?
    return "#{sign}0.#{digits}e#{point}" unless format.to_s.upcase.include?('F')
    whole = point > 0 ? digits[0, point].ljust(point, '0') : '0'
    part = point > 0 ? digits[point..].to_s : '0' * -point + digits
    "#{sign}#{whole}.#{part.empty? ? '0' : part}"
  end

  def inspect = to_s

  private

  def value_of(other) = other.is_a?(BigDecimal) ? other.fraction : Rational(other)

  def calculate(other)
    raise TypeError, "#{other.nil? ? 'nil' : other.class} can't be coerced into BigDecimal" unless other.is_a?(Numeric)
    BigDecimal.of(yield(value_of(other)).to_r)
  end

  def rounded(digits)
    digits.nil? ? yield(0).to_i : BigDecimal.of(yield(digits).to_r)
  end

  # The digits without the point, and where it stands.
  def digits_and_point
    number = @fraction.abs
    places = 0
    places += 1 until (number * 10**places).denominator == 1 || places > 100
    digits = (number * 10**places).to_i.to_s
    [digits.sub(/0+\z/, ''), digits.length - places]
  end
end

module Kernel
  def BigDecimal(value, digits = 0, exception: true)
    return value if value.is_a?(BigDecimal)
    raise TypeError, "can't convert nil into BigDecimal" if value.nil?
    made = value.is_a?(Float) ? BigDecimal.read(value.to_s) : (value.is_a?(Numeric) ? BigDecimal.of(Rational(value)) : BigDecimal.read(value))
    digits > 0 ? made.round(digits - made.exponent) : made
  rescue ArgumentError, TypeError
    raise if exception
    nil
  end
  private :BigDecimal
end

class Integer
  def to_d = BigDecimal(self)
end

class Float
  def to_d(_digits = 0) = BigDecimal(to_s)
end

class String
  def to_d = BigDecimal(self[/\A\s*[+-]?\d*\.?\d*(?:[eE][+-]?\d+)?/].then { |text| text.strip =~ /\d/ ? text : '0' })
end
