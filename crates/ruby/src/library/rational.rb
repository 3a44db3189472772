# Rational numbers and complex ones.
class Rational < Numeric
  attr_reader :numerator, :denominator

  class << self
    def make(numerator, denominator)
      raise ZeroDivisionError, 'divided by 0' if denominator == 0
      common = numerator.gcd(denominator)
      common = -common if denominator < 0
      new(numerator / common, denominator / common)
    end

    # What text says, or nil.
    def read(text, strict)
      pattern = %r{\A\s*([+-]?)(\d[\d_]*)?(?:\.(\d[\d_]*))?(?:[eE]([+-]?\d+))?(?:/(\d[\d_]*)(?:\.(\d+))?)?(.*)\z}m
      match = pattern.match(text)
      return nil unless match && (match[2] || match[3])
      return nil if strict && !match[7].strip.empty?
      whole = (match[2] || '0').delete('_')
      part = (match[3] || '').delete('_')
      number = make((whole + part).to_i, 10**part.length)
      number *= Rational(10)**match[4].to_i if match[4]
      number /= match[5].delete('_').to_i if match[5]
      match[1] == '-' ? -number : number
    end

    private :new
  end

  def initialize(numerator, denominator)
    @numerator = numerator
    @denominator = denominator
    freeze
  end

  def +(other) = calculate(:+, other) { |n, d| Rational.make(@numerator * d + n * @denominator, @denominator * d) }
  def -(other) = calculate(:-, other) { |n, d| Rational.make(@numerator * d - n * @denominator, @denominator * d) }
  def *(other) = calculate(:*, other) { |n, d| Rational.make(@numerator * n, @denominator * d) }
  def /(other) = calculate(:/, other) { |n, d| Rational.make(@numerator * d, @denominator * n) }
  alias quo /

  def %(other) = self - other * (self / other).floor
  alias modulo %
  def div(other) = (self / other).floor
  def divmod(other) = [div(other), self % other]
  def fdiv(other) = to_f / other
  def remainder(other) = self - other * (self / other).truncate

  def **(other)
    case other
    when Integer
      return Rational.make(@numerator**other, @denominator**other) if other >= 0
      raise ZeroDivisionError, 'divided by 0' if @numerator == 0
      Rational.make(@denominator**-other, @numerator**-other)
    when Rational
      other.denominator == 1 ? self**other.numerator : to_f**other.to_f
    else to_f**other
    end
  end
  alias pow **

  def -@ = Rational.make(-@numerator, @denominator)
  def +@ = self
  def abs = Rational.make(@numerator.abs, @denominator)
  alias magnitude abs

  def <=>(other)
    case other
    when Integer, Rational then @numerator * other.denominator <=> other.numerator * @denominator
    when Float then to_f <=> other
    end
  end

  def ==(other)
    case other
    when Integer, Rational then @numerator == other.numerator && @denominator == other.denominator
    when Float then to_f == other
    else other == self
    end
  end

  def eql?(other) = other.is_a?(Rational) && self == other
  def hash = [@numerator, @denominator].hash

  def coerce(other)
    case other
    when Integer then [Rational.make(other, 1), self]
    when Float then [other, to_f]
    when Rational then [other, self]
    else raise TypeError, "#{other.class} can't be coerced into Rational"
    end
  end

  def zero? = @numerator == 0
  def positive? = @numerator > 0
  def negative? = @numerator < 0
  def integer? = false
  def to_i = @numerator < 0 ? -(-@numerator / @denominator) : @numerator / @denominator
  def to_f = @numerator.fdiv(@denominator)
  def to_r = self
  def to_c = Complex(self, 0)

  def rationalize(distance = nil)
    distance ? Rational.__between(self, distance.abs) : self
  end

  # The simplest fraction that is no further away than that, by continued fractions.
  def self.__between(number, distance)
    low = number - distance
    high = number + distance
    return number.to_r if low == high
    before = [0, 1]
    now = [1, 0]
    until (least = low.ceil) < high
      whole = least - 1
      before, now = now, [whole * now[0] + before[0], whole * now[1] + before[1]]
      low, high = [1.quo(high - whole), 1.quo(low - whole)]
    end
    Rational(least * now[0] + before[0], least * now[1] + before[1])
  end

  def to_s = "#{@numerator}/#{@denominator}"
  def inspect = "(#{self})"

  def floor(digits = 0) = rounded(digits) { |number| number.numerator.div(number.denominator) }
  def ceil(digits = 0) = rounded(digits) { |number| -(-number.numerator).div(number.denominator) }
  def truncate(digits = 0) = rounded(digits, &:to_i)

  def round(digits = 0, half: :up)
    rounded(digits) do |number|
      double = number.numerator.abs * 2
      whole, rest = (double + number.denominator).divmod(number.denominator * 2)
      if rest == 0
        whole -= 1 if half.to_s == 'down' || (half.to_s == 'even' && whole.odd?)
      end
      number.negative? ? -whole : whole
    end
  end

  private

  def rounded(digits)
    return yield(self) if digits == 0
    number = yield(self * Rational.make(10, 1)**digits)
    digits > 0 ? Rational.make(number, 1) / 10**digits : number * 10**-digits
  end

  def calculate(operator, other)
    case other
    when Integer, Rational then yield(other.numerator, other.denominator)
    when Float then to_f.__send__(operator, other)
    else
      unless other.respond_to?(:coerce)
        name = other.nil? || other == true || other == false ? other.inspect : other.class
        raise TypeError, "#{name} can't be coerced into Rational"
      end
      left, right = other.coerce(self)
      left.__send__(operator, right)
    end
  end
end

class Complex < Numeric
  attr_reader :real, :imaginary
  alias imag imaginary

  class << self
    def rectangular(real, imaginary = 0) = new(real, imaginary)
    alias rect rectangular
    def polar(size, angle = 0) = new(size * Math.cos(angle), size * Math.sin(angle))
  end

  def initialize(real, imaginary)
    @real = real
    @imaginary = imaginary
    freeze
  end

  def +(other) = other.is_a?(Complex) ? Complex.new(@real + other.real, @imaginary + other.imaginary) : Complex.new(@real + other, @imaginary)
  def -(other) = other.is_a?(Complex) ? Complex.new(@real - other.real, @imaginary - other.imaginary) : Complex.new(@real - other, @imaginary)

  def *(other)
    return Complex.new(@real * other, @imaginary * other) unless other.is_a?(Complex)
    Complex.new(@real * other.real - @imaginary * other.imaginary, @real * other.imaginary + @imaginary * other.real)
  end

  def /(other)
    return Complex.new(@real.quo(other), @imaginary.quo(other)) unless other.is_a?(Complex)
    size = other.real * other.real + other.imaginary * other.imaginary
    product = self * other.conjugate
    Complex.new(product.real.quo(size), product.imaginary.quo(size))
  end

  def **(other)
    return Complex.polar(abs**other, arg * other) unless other.is_a?(Integer) && other >= 0
    (1..other).inject(Complex.new(1, 0)) { |product, _| product * self }
  end

  def -@ = Complex.new(-@real, -@imaginary)
  def ==(other) = other.is_a?(Complex) ? @real == other.real && @imaginary == other.imaginary : @imaginary == 0 && @real == other
  def <=>(other) = @imaginary == 0 && (!other.is_a?(Complex) || other.imaginary == 0) ? @real <=> (other.is_a?(Complex) ? other.real : other) : nil
  def hash = [@real, @imaginary].hash
  def eql?(other) = other.is_a?(Complex) && @real.eql?(other.real) && @imaginary.eql?(other.imaginary)
  def coerce(other) = [Complex.new(other, 0), self]
  def abs = Math.hypot(@real.to_f, @imaginary.to_f)
  alias magnitude abs
  def abs2 = @real * @real + @imaginary * @imaginary
  def arg = Math.atan2(@imaginary.to_f, @real.to_f)
  alias angle arg
  def conjugate = Complex.new(@real, -@imaginary)
  alias conj conjugate
  def rectangular = [@real, @imaginary]
  alias rect rectangular
  def polar = [abs, arg]
  def real? = false
  def to_c = self

  def to_i = whole(:to_i)
  def to_f = whole(:to_f)
  def to_r = whole(:to_r)

  def to_s
    sign = @imaginary.is_a?(Float) ? (@imaginary.to_s.start_with?('-') ? '-' : '+') : (@imaginary < 0 ? '-' : '+')
    "#{@real}#{sign}#{@imaginary.abs}i"
  end

  def inspect = "(#{self})"

  I = new(0, 1)

  private

  def whole(method)
    raise RangeError, "can't convert #{self} into #{{ to_i: 'Integer', to_f: 'Float', to_r: 'Rational' }[method]}" unless @imaginary == 0
    @real.__send__(method)
  end
end

module Kernel
  def Rational(value, divisor = 1, exception: true)
    parts = [value, divisor].map do |part|
      case part
      when Rational then part
      when Integer then Rational.make(part, 1)
      when Float then part.to_r
      when String
        number = Rational.read(part, true)
        raise ArgumentError, "invalid value for convert(): #{part.inspect}" unless number
        number
      when nil then raise TypeError, "can't convert nil into Rational"
      else
        raise TypeError, "can't convert #{part == true || part == false ? part : part.class} into Rational" unless part.respond_to?(:to_r)
        part.to_r
      end
    end
    parts[0] / parts[1]
  rescue ArgumentError, TypeError
    raise if exception
    nil
  end

  def Complex(real, imaginary = 0, exception: true)
    if real.is_a?(String)
      match = %r{\A\s*([+-]?[\d.]+(?:e[+-]?\d+)?)?(?:([+-]?[\d.]*)i)?\s*\z}i.match(real)
      unless match && (match[1] || match[2])
        return nil unless exception
        raise ArgumentError, "invalid value for convert(): #{real.inspect}"
      end
      number = ->(text) { text.include?('.') ? text.to_f : text.to_i }
      second = match[2].to_s
      second += '1' if match[2] && second !~ /\d/
      return Complex.new(number.(match[1] || '0'), number.(second.empty? ? '0' : second))
    end
    raise TypeError, "can't convert nil into Complex" if real.nil? || imaginary.nil?
    Complex.new(real, imaginary)
  end
  private :Rational, :Complex
end

class String
  def to_r = Rational.read(self, false) || Rational(0)

  def to_c
    match = %r{\A\s*([+-]?[\d.]+(?:e[+-]?\d+)?(?!i))?(?:([+-]?[\d.]*)i)?}i.match(self)
    Complex([match[1], match[2] && "#{match[2]}i"].join, exception: false) || Complex(0, 0)
  end
end
