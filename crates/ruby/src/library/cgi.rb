# What scripts for web pages need.
class CGI
  module Util
    HTML = { "'" => '&#39;', '&' => '&amp;', '"' => '&quot;', '<' => '&lt;', '>' => '&gt;' }.freeze
    NAMED = { 'amp' => '&', 'lt' => '<', 'gt' => '>', 'quot' => '"', 'apos' => "'" }.freeze

    def escape(text)
      text = String.new(text)
      text.gsub(/[^*\-.0-9A-Z_a-z~ ]/) { |sign| sign.bytes.map { |byte| format('%%%02X', byte) }.join }.tr(' ', '+')
    end

    def unescape(text, encoding = Encoding::UTF_8)
      text.b.tr('+', ' ').gsub(/%\h\h/n) { |part| [part[1, 2]].pack('H2') }.force_encoding(encoding)
    end

    def escapeHTML(text) = text.gsub(/['&"<>]/, HTML)
    alias escape_html escapeHTML
    alias h escapeHTML

    def unescapeHTML(text)
      text.gsub(/&(?:#(\d+)|#[xX](\h+)|(amp|lt|gt|quot|apos));/) do
        next $1.to_i.chr(Encoding::UTF_8) if $1
        next $2.to_i(16).chr(Encoding::UTF_8) if $2
        NAMED[$3]
      end
    end
    alias unescape_html unescapeHTML

    def escapeElement(text, *names)
      text.gsub(%r{</?(?:#{names.flatten.join('|')})\b[^<>]*+>?}im) { |tag| escapeHTML(tag) }
    end

    def rfc1123_date(time) = time.getutc.strftime('%a, %d %b %Y %T GMT')
  end

  extend Util
  include Util

  def self.parse(query)
    query.split(/[&;]/).each_with_object(Hash.new([].freeze)) do |pair, found|
      name, value = pair.split('=', 2).map { |part| unescape(part) }
      next unless name
      found[name] = [] unless found.key?(name)
      found[name] << value if value
    end
  end
end
