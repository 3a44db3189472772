# Random values that nobody can foresee.
module SecureRandom
  class << self
    def bytes(count = nil) = Random.urandom(count || 16)
    alias random_bytes bytes
    def hex(count = nil) = bytes(count || 16).unpack1('H*')
    def base64(count = nil) = [bytes(count || 16)].pack('m0')

    def urlsafe_base64(count = nil, padding = false)
      text = base64(count).tr('+/', '-_')
      padding ? text : text.delete('=')
    end

    def uuid
      parts = bytes(16).unpack('NnnnnN')
      parts[2] = parts[2] & 0x0fff | 0x4000
      parts[3] = parts[3] & 0x3fff | 0x8000
      format('%08x-%04x-%04x-%04x-%04x%08x', *parts)
    end

    def random_number(limit = 0)
      case limit
      when Range
        first = limit.begin
        last = limit.exclude_end? ? limit.end - 1 : limit.end
        first + number_below(last - first + 1)
      when Float then limit > 0 ? fraction * limit : fraction
      else limit && limit > 0 ? number_below(limit) : fraction
      end
    end
    alias rand random_number

    def alphanumeric(count = nil, chars: [*'A'..'Z', *'a'..'z', *'0'..'9']) = choose(chars, count || 16)
    def choose(letters, count) = Array.new(count) { letters[number_below(letters.size)] }.join

    private

    def fraction = (bytes(8).unpack1('Q>') >> 11) / (2.0**53)

    # Every number is as likely: what is left of the last round is thrown away.
    def number_below(limit)
      size = (limit.bit_length + 7) / 8 + 1
      whole = 256**size
      loop do
        number = bytes(size).unpack1('H*').to_i(16)
        return number % limit if number < whole - whole % limit
      end
    end
  end
end
