# Times read from text.
require 'date'

class Time
  RFC2822_DAYS = %w[Sun Mon Tue Wed Thu Fri Sat].freeze
  RFC2822_MONTHS = %w[Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec].freeze

  class << self
    def parse(text, now = nil)
      raise TypeError, "no implicit conversion of #{text.nil? ? 'nil' : text.class} into String" unless text.respond_to?(:to_str)
      parts = Date._parse(text)
      year = parts[:year]
      year = yield(year) if year && block_given?
      make_of_parts(text, year, parts, now)
    end

    def strptime(text, format, now = nil)
      parts = Date._strptime(text, format)
      raise ArgumentError, "invalid date or strptime format - `#{text}' `#{format}'" unless parts
      if (seconds = parts[:seconds])
        time = at(seconds)
        return parts[:offset] ? time.localtime(parts[:offset]) : time
      end
      make_of_parts(text, parts[:year], parts, now)
    end

    def iso8601(text)
      match = /\A\s*(-?\d+)-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(\.\d+)?(Z|[+-]\d\d(?::?\d\d)?)?\s*\z/i.match(text.to_s)
      raise ArgumentError, "invalid xmlschema format: #{text.inspect}" unless match
      seconds = match[6].to_i
      seconds += Rational(match[7][1..].to_i, 10**(match[7].length - 1)) if match[7]
      at_zone(match[1].to_i, match[2].to_i, match[3].to_i, match[4].to_i, match[5].to_i, seconds, match[8])
    end
    alias xmlschema iso8601

    def rfc2822(text)
      match = /\A\s*(?:[a-z]{3}\s*,\s*)?(\d{1,2})\s+([a-z]{3})\s+(\d{2,})\s+(\d{2})\s*:\s*(\d{2})(?:\s*:\s*(\d\d))?\s+([+-]\d{4}|[a-z]+)/i.match(text.to_s)
      month = match && RFC2822_MONTHS.index(match[2].capitalize)
      raise ArgumentError, "not RFC 2822 compliant date: #{text.inspect}" unless month
      year = match[3].to_i
      year += year < 50 ? 2000 : 1900 if match[3].length < 4
      zone = match[7] == '-0000' ? 'UTC' : match[7]
      at_zone(year, month + 1, match[1].to_i, match[4].to_i, match[5].to_i, match[6].to_i, zone)
    end
    alias rfc822 rfc2822

    def httpdate(text)
      match = /\A\s*[a-z]{3},\s+(\d{2})\s+([a-z]{3})\s+(\d{4})\s+(\d{2}):(\d{2}):(\d{2})\s+GMT\s*\z/i.match(text.to_s)
      month = match && RFC2822_MONTHS.index(match[2].capitalize)
      raise ArgumentError, "not RFC 2616 compliant date: #{text.inspect}" unless month
      utc(match[3].to_i, month + 1, match[1].to_i, match[4].to_i, match[5].to_i, match[6].to_i)
    end

    private

    def at_zone(year, month, day, hour, minute, second, zone)
      case zone
      when nil then local(year, month, day, hour, minute, second)
      when /\A(?:Z|UTC?|-00:?00)\z/i then utc(year, month, day, hour, minute, second)
      when /\A[+-]\d/ then new(year, month, day, hour, minute, second, zone_text(zone))
      else
        offset = Date.zone_to_offset(zone)
        return utc(year, month, day, hour, minute, second) if offset == 0
        offset ? new(year, month, day, hour, minute, second, offset) : local(year, month, day, hour, minute, second)
      end
    end

    def zone_text(zone)
      digits = zone.delete('^0-9')
      digits = "#{digits}00" if digits.length == 2
      "#{zone[0]}#{digits[0, 2]}:#{digits[2, 2]}"
    end

    def make_of_parts(text, year, parts, now)
      month, day, hour = parts[:mon], parts[:mday], parts[:hour]
      minute, second = parts[:min], parts[:sec]
      if parts[:yday] && year && !month
        date = Date.ordinal(year, parts[:yday])
        month, day = date.month, date.day
      end
      raise ArgumentError, "no time information in #{text.inspect}" unless year || month || day || hour || minute || second
      unless year
        now ||= self.now
        year = now.year
        unless month
          month = now.month
          day ||= now.day
        end
      end
      second = (second || 0) + (parts[:sec_fraction] || 0)
      at_zone(year, month || 1, day || 1, hour || 0, minute || 0, second, parts[:zone])
    end
  end

  def iso8601(digits = 0)
    text = strftime('%Y-%m-%dT%H:%M:%S')
    digits = digits.to_i
    text << '.' << strftime("%#{digits}N") if digits > 0
    text << (utc? ? 'Z' : strftime('%:z'))
  end
  alias xmlschema iso8601

  def rfc2822
    strftime('%a, %d %b %Y %T ') << (utc? ? '-0000' : strftime('%z'))
  end
  alias rfc822 rfc2822

  def httpdate
    getutc.strftime('%a, %d %b %Y %T GMT')
  end
end
