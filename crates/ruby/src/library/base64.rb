# Bytes as letters, digits and two signs.
module Base64
  module_function

  def encode64(text)
    [text].pack('m')
  end

  def decode64(text)
    text.unpack1('m')
  end

  def strict_encode64(text)
    [text].pack('m0')
  end

  def strict_decode64(text)
    text.unpack1('m0')
  end

  def urlsafe_encode64(text, padding: true)
    made = strict_encode64(text).tr('+/', '-_')
    padding ? made : made.delete('=')
  end

  def urlsafe_decode64(text)
    text = text.tr('-_', '+/')
    text = text.ljust((text.length + 3) & ~3, '=') unless text.end_with?('=') || (text.length % 4).zero?
    strict_decode64(text)
  end
end
