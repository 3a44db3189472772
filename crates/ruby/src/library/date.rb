# Days of the calendar.
class Date
  include Comparable

  class Error < ArgumentError; end

  MONTHNAMES = [nil, 'January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'].freeze
  ABBR_MONTHNAMES = [nil, 'Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'].freeze
  DAYNAMES = %w[Sunday Monday Tuesday Wednesday Thursday Friday Saturday].freeze
  ABBR_DAYNAMES = %w[Sun Mon Tue Wed Thu Fri Sat].freeze
  ITALY = 2_299_161
  ENGLAND = 2_361_222
  GREGORIAN = -Float::INFINITY
  ZONES = { 'utc' => 0, 'gmt' => 0, 'z' => 0, 'est' => -18_000, 'edt' => -14_400, 'cst' => -21_600, 'cdt' => -18_000, 'mst' => -25_200, 'mdt' => -21_600, 'pst' => -28_800, 'pdt' => -25_200, 'cet' => 3600, 'cest' => 7200, 'eet' => 7200, 'eest' => 10_800, 'wet' => 0, 'west' => 3600, 'bst' => 3600, 'msk' => 10_800, 'jst' => 32_400, 'ist' => 19_800 }.freeze

  # The number of a day, counted as astronomers do.
  def self.civil_to_jd(year, month, day)
    shift = (14 - month) / 12
    shifted_year = year + 4800 - shift
    shifted_month = month + 12 * shift - 3
    base = day + (153 * shifted_month + 2) / 5 + 365 * shifted_year + shifted_year / 4
    number = base - shifted_year / 100 + shifted_year / 400 - 32_045
    number < ITALY ? base - 32_083 : number
  end

  def self.jd_to_civil(number)
    if number < ITALY
      a = 0
      c = number + 32_082
    else
      b = number + 32_044
      a = (4 * b + 3) / 146_097
      c = b - 146_097 * a / 4
    end
    d = (4 * c + 3) / 1461
    e = c - 1461 * d / 4
    month = (5 * e + 2) / 153
    [100 * a + d - 4800 + month / 10, month + 3 - 12 * (month / 10), e - (153 * month + 2) / 5 + 1]
  end

  # The number of a day, or nil if there is no such day; negative parts count from the end.
  def self.valid_civil_to_jd(year, month, day)
    return nil unless [year, month, day].all?(Integer)
    month += 13 if month < 0
    return nil unless month.between?(1, 12)
    if day < 0
      following = month == 12 ? civil_to_jd(year + 1, 1, 1) : civil_to_jd(year, month + 1, 1)
      _, found, day = jd_to_civil(following + day)
      return nil unless found == month
    end
    return nil unless day.between?(1, 31)
    number = civil_to_jd(year, month, day)
    jd_to_civil(number) == [year, month, day] ? number : nil
  end

  class << self
    def civil(year = -4712, month = 1, day = 1, _start = Date::ITALY)
      [year, month, day].each { |part| raise TypeError, "invalid #{%w[year month day][[year, month, day].index(part)]} (not numeric)" unless part.is_a?(Numeric) }
      number = valid_civil_to_jd(year.to_i, month.to_i, day.to_i)
      raise Error, 'invalid date' unless number
      from_jd(number)
    end
    alias new civil

    def jd(number = 0, _start = Date::ITALY) = from_jd(number)

    def ordinal(year = -4712, day = 1, _start = Date::ITALY)
      day = (leap?(year) ? 366 : 365) + day + 1 if day < 0
      raise Error, 'invalid date' unless day.between?(1, leap?(year) ? 366 : 365)
      from_jd(civil_to_jd(year, 1, 1) + day - 1)
    end

    def commercial(year = -4712, week = 1, day = 1, _start = Date::ITALY)
      fourth = civil_to_jd(year, 1, 4)
      monday = fourth - (fourth % 7)
      made = from_jd(monday + (week - 1) * 7 + day - 1)
      raise Error, 'invalid date' unless made.cwyear == year && day.between?(1, 7) && week > 0
      made
    end

    def valid_date?(year, month, day, _start = Date::ITALY)
      !!valid_civil_to_jd(year, month, day)
    end
    alias valid_civil? valid_date?

    def valid_commercial?(year, week, day, _start = Date::ITALY)
      commercial(year, week, day) && true
    rescue Error
      false
    end

    def julian_leap?(year) = (year % 4).zero?

    def rfc2822(text, _start = Date::ITALY, limit: 128) = of_form(/\A\s*(?:[a-z]{3}\s*,\s+)?\d{1,2}\s+[a-z]{3}\s+-?\d{2,}\s+\d{2}:\d{2}/i, text)
    alias rfc822 rfc2822
    def rfc3339(text, _start = Date::ITALY, limit: 128) = of_form(/\A\s*-?\d{4}-\d{2}-\d{2}(?:t|\s)\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:z|[-+]\d{2}:\d{2})\s*\z/i, text)
    def httpdate(text, _start = Date::ITALY, limit: 128) = of_form(/\A\s*[a-z]+,?\s+\d{1,2}[\s-][a-z]{3}[\s-]\d{2,4}\s+\d{2}:\d{2}:\d{2}\s+gmt\s*\z/i, text)

    def valid_ordinal?(year, day, _start = Date::ITALY) = day.abs.between?(1, leap?(year) ? 366 : 365)
    def valid_jd?(number, _start = Date::ITALY) = number.is_a?(Numeric)
    def leap?(year) = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0
    alias gregorian_leap? leap?

    def today(_start = Date::ITALY)
      now = Time.now
      civil(now.year, now.month, now.day)
    end

    def parse(text = '-4712-01-01', complete = true, _start = Date::ITALY, limit: 128)
      raise TypeError, "no implicit conversion of #{text.nil? ? 'nil' : text.class} into String" unless text.is_a?(String)
      from_parts(_parse(text, complete, limit: limit))
    end

    def iso8601(text, _start = Date::ITALY, limit: 128)
      parts = _parse(text)
      raise Error, 'invalid date' unless text =~ /\A\s*-?\d{4,}-?(?:\d\d-?\d\d|W\d\d|\d{3})/
      from_parts(parts)
    end
    alias xmlschema iso8601

    def strptime(text = '-4712-01-01', format = '%F', _start = Date::ITALY)
      parts = _strptime(text, format)
      raise Error, 'invalid date' if parts.nil? || parts[:leftover]
      from_parts(parts)
    end

    def zone_to_offset(zone)
      return ZONES[zone.downcase] if ZONES.key?(zone.downcase)
      match = /\A(?:gmt|utc)?([+-])(\d{1,2}):?(\d\d)?(?::?(\d\d))?\z/i.match(zone)
      return nil unless match
      seconds = match[2].to_i * 3600 + match[3].to_i * 60 + match[4].to_i
      match[1] == '-' ? -seconds : seconds
    end

    # What a text says about a time, in parts.
    def _parse(text, complete = true, limit: 128)
      raise ArgumentError, "string length (#{text.length}) exceeds the limit #{limit}" if limit && text.length > limit
      parts = {}
      rest = text.gsub(%r{[^-+',./:@[:alnum:]\[\]]+}, ' ')
      parse_day_name(rest, parts)
      parse_time(rest, parts)
      parse_day(rest, parts, complete)
      parts
    end

    private

    def of_form(form, text)
      raise Error, 'invalid date' unless text =~ form
      parse(text)
    end

    def from_jd(number)
      made = allocate
      made.__send__(:fill, number)
      made
    end

    def from_parts(parts)
      year, month, day = parts[:year], parts[:mon], parts[:mday]
      if parts[:seconds]
        time = Time.at(parts[:seconds]).utc
        return civil(time.year, time.month, time.day)
      end
      if parts[:yday] && !month
        return ordinal(year || today.year, parts[:yday])
      elsif parts[:cweek] && parts[:cwyear]
        return commercial(parts[:cwyear], parts[:cweek], parts[:cwday] || 1)
      elsif parts[:wday] && !day && !month && !year
        now = today
        return now + (parts[:wday] - now.wday)
      end
      raise Error, 'invalid date' unless year || month || day
      unless year
        year = today.year
        month ||= today.month
      end
      number = valid_civil_to_jd(year, month || 1, day || 1)
      raise Error, 'invalid date' unless number
      from_jd(number)
    end

    def parse_day_name(text, parts)
      return unless text =~ /\b(sun|mon|tue|wed|thu|fri|sat)[^-\/\d\s]*/i
      parts[:wday] = ABBR_DAYNAMES.index($1.capitalize)
      text.sub!($~[0], ' ')
    end

    def parse_time(text, parts)
      pattern = /(\d+)\s*h(?:\s*(\d+)m?(?:\s*(\d+)s?)?)?\b(?!\w)|(\d+)\s*:\s*(\d+)(?:\s*:\s*(\d+)(?:[.,](\d*))?)?\s*([ap](?:m\b|\.m\.))?|(\d+)\s*([ap](?:m\b|\.m\.))/i
      match = pattern.match(text)
      return unless match
      hour = (match[4] || match[1] || match[9]).to_i
      half = match[8] || match[10]
      if half
        hour %= 12
        hour += 12 if half =~ /\Ap/i
      end
      parts[:hour] = hour
      minute = match[5] || match[2]
      second = match[6] || match[3]
      parts[:min] = minute.to_i if minute
      parts[:sec] = second.to_i if second
      parts[:sec_fraction] = Rational(match[7].to_i, 10**match[7].length) if match[7] && !match[7].empty?
      following = match.post_match
      if (zone = /\A\s*((?:gmt|utc)?[-+]\d+(?:[,.:]\d+(?::\d+)?)?|(?-i:[[:alpha:].\s]+)(?:standard|daylight)\stime\b|(?-i:[[:alpha:]]+)(?:\sdst)?\b)/i.match(following))
        parts[:zone] = zone[1]
        parts[:offset] = zone_to_offset(zone[1])
        following = zone.post_match
      end
      text.replace("#{match.pre_match.sub(/T\z/i, ' ')} #{following}")
    end

    def parse_day(text, parts, complete)
      case text
      when /('?\d+)[^-\d\s]*\s*\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[^-\d\s']*(?:\s*(c(?:e|\.e\.)|b(?:ce|\.c\.e\.)|a(?:d|\.d\.)|b(?:c|\.c\.))?\s*('?-?\d+(?:(?:st|nd|rd|th)\b)?))?/i
        set_day(parts, $4, ABBR_MONTHNAMES.index($2.capitalize), $1, complete)
      when /\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[^-\d\s']*\s*('?\d+)[^-\d\s']*(?:\s*,?\s*(c(?:e|\.e\.)|b(?:ce|\.c\.e\.)|a(?:d|\.d\.)|b(?:c|\.c\.))?\s*('?-?\d+))?/i
        set_day(parts, $4, ABBR_MONTHNAMES.index($1.capitalize), $2, complete)
      when /('?[-+]?\d+)-(\d+)-('?-?\d+)/
        set_day(parts, $1, $2.to_i, $3, complete)
      when /\b(\d{2}|\d{4})?-?w(\d{2})(?:-?(\d))?\b/i
        parts[:cwyear] = $1.to_i if $1
        parts[:cweek] = $2.to_i
        parts[:cwday] = $3.to_i if $3
      when /--(\d{2})?-(\d{2})\b/
        parts[:mon] = $1.to_i if $1
        parts[:mday] = $2.to_i
      when /\b(\d{4})-(\d{3})\b/
        parts[:year] = $1.to_i
        parts[:yday] = $2.to_i
      when /\b(\d{4})-(\d{2})\b/
        parts[:year] = $1.to_i
        parts[:mon] = $2.to_i
      when %r{('?-?\d+)/\s*('?\d+)(?:\D\s*('?-?\d+))?}
        first, second, third = $1, $2, $3
        first.delete("'").length > 2 || third.nil? ? set_day(parts, third ? first : nil, (third ? second : first).to_i, third || second, complete) : set_day(parts, first, second.to_i, third, complete)
      when /('?-?\d+)\.\s*('?\d+)\.\s*('?-?\d+)/
        set_day(parts, $1, $2.to_i, $3, complete)
      when /\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\S*/i
        parts[:mon] = ABBR_MONTHNAMES.index($1.capitalize)
      when /([-+]?)(\d{2,14})(?:\s*t?\s*(\d{2,6})?(?:[,.](\d*))?)?(z\b|[-+]\d{1,4}\b)?/i
        parse_digits($2, $3, parts, complete)
        if $5 && !parts[:zone]
          parts[:zone] = $5
          parts[:offset] = zone_to_offset($5)
        end
      when /\b(\d{1,2})\b/
        parts[:mday] = $1.to_i
      end
    end

    def parse_digits(digits, time, parts, complete)
      case digits.length
      when 2 then parts[:mday] = digits.to_i
      when 3 then parts[:yday] = digits.to_i
      when 4
        parts[:mon] = digits[0, 2].to_i
        parts[:mday] = digits[2, 2].to_i
      when 6 then set_day(parts, digits[0, 2], digits[2, 2].to_i, digits[4, 2], complete)
      when 5, 7
        parts[:year] = full_year(digits[0...-3], complete)
        parts[:yday] = digits[-3, 3].to_i
      else
        parts[:year] = digits[0, 4].to_i
        parts[:mon] = digits[4, 2].to_i
        parts[:mday] = digits[6, 2].to_i
        parts[:hour] = digits[8, 2].to_i if digits.length >= 10
        parts[:min] = digits[10, 2].to_i if digits.length >= 12
        parts[:sec] = digits[12, 2].to_i if digits.length >= 14
      end
      return unless time
      parts[:hour] = time[0, 2].to_i
      parts[:min] = time[2, 2].to_i if time.length >= 4
      parts[:sec] = time[4, 2].to_i if time.length >= 6
    end

    def set_day(parts, year, month, day, complete)
      # What cannot be a day is the year.
      year, day = day, year if day && (day.start_with?("'") || day.delete("^0-9").length > 2)
      parts[:year] = full_year(year, complete) if year
      parts[:mon] = month if month
      parts[:mday] = day.delete('^0-9').to_i if day
    end

    def full_year(text, complete)
      number = text.delete("^0-9-").to_i
      return number if text.delete("^0-9").length > 2 || !complete || text.start_with?('-')
      number + (number >= 69 ? 1900 : 2000)
    end
  end

  # What a text says about a time in a given form, in parts; nil if it has another form.
  def self._strptime(text, format = '%F')
    parts = {}
    rest = text.dup
    pattern = format.gsub(/%[EO]?([cDFnRrTtvXx+])/) do
      { 'c' => '%a %b %e %H:%M:%S %Y', 'D' => '%m/%d/%y', 'x' => '%m/%d/%y', 'F' => '%Y-%m-%d', 'n' => ' ', 't' => ' ', 'R' => '%H:%M', 'r' => '%I:%M:%S %p', 'T' => '%H:%M:%S', 'X' => '%H:%M:%S', 'v' => '%e-%b-%Y', '+' => '%a %b %e %H:%M:%S %Z %Y' }[$1]
    end
    until pattern.empty?
      if pattern.sub!(/\A%[EO0^#_-]*(:{0,3}[A-Za-z%])/, '')
        field = $1.delete(':')
        found = strptime_field(field, rest, parts, pattern =~ /\A(?:\d|%[EO0_-]*[CDdeFGgHIjkLlMmNQRrSsTUuVvWwXxYy])/)
        return nil unless found
        rest = rest[found..]
      elsif pattern.sub!(/\A\s+/, '')
        rest = rest.sub(/\A\s+/, '')
      else
        return nil unless rest.start_with?(pattern[0])
        rest = rest[1..]
        pattern = pattern[1..]
      end
    end
    parts[:leftover] = rest unless rest.empty?
    if (half = parts.delete(:_half)) && parts[:hour]
      parts[:hour] = parts[:hour] % 12 + half
    end
    if (century = parts.delete(:_century))
      parts[:year] = century * 100 + (parts[:year] || 0) % 100
    end
    parts
  end

  def self.strptime_field(field, rest, parts, is_tight)
    number = lambda do |name, pattern, range = nil|
      match = /\A\s*(#{pattern})/.match(rest)
      next nil unless match
      value = match[1].to_i
      next nil if range && !range.cover?(value)
      parts[name] = value
      match[0].length
    end
    word = lambda do |name, names, offset = 0|
      match = /\A(#{names.compact.sort_by { |it| -it.length }.join('|')})/i.match(rest)
      next nil unless match
      parts[name] = names.index { |it| it && it[0, 3].casecmp?(match[1][0, 3]) } + offset
      match[0].length
    end
    case field
    when 'Y' then number.(:year, is_tight ? '[-+]?\d{1,4}' : '[-+]?\d+')
    when 'C' then number.(:_century, '[-+]?\d{1,2}')
    when 'y'
      found = number.(:year, '\d{1,2}', 0..99)
      parts[:year] += parts[:year] >= 69 ? 1900 : 2000 if found
      found
    when 'm' then number.(:mon, '\d{1,2}', 1..12)
    when 'B', 'b', 'h' then word.(:mon, MONTHNAMES + ABBR_MONTHNAMES)&.tap { parts[:mon] = (parts[:mon] - 1) % 13 + 1 }
    when 'd', 'e' then number.(:mday, '\d{1,2}', 1..31)
    when 'j' then number.(:yday, '\d{1,3}', 1..366)
    when 'H', 'k' then number.(:hour, '\d{1,2}', 0..24)
    when 'I', 'l' then number.(:hour, '\d{1,2}', 1..12)
    when 'M' then number.(:min, '\d{1,2}', 0..59)
    when 'S' then number.(:sec, '\d{1,2}', 0..60)
    when 'L', 'N'
      match = /\A(\d+)/.match(rest)
      return nil unless match
      parts[:sec_fraction] = Rational(match[1].to_i, 10**match[1].length)
      match[0].length
    when 'p', 'P'
      match = /\A([ap])(?:m\b|\.m\.)/i.match(rest)
      return nil unless match
      parts[:_half] = match[1].downcase == 'p' ? 12 : 0
      match[0].length
    when 'A', 'a' then word.(:wday, DAYNAMES + ABBR_DAYNAMES)
    when 'u' then number.(:cwday, '\d', 1..7)
    when 'w' then number.(:wday, '\d', 0..6)
    when 'G' then number.(:cwyear, is_tight ? '[-+]?\d{1,4}' : '[-+]?\d+')
    when 'V' then number.(:cweek, '\d{1,2}', 1..53)
    when 'U' then number.(:wnum0, '\d{1,2}', 0..53)
    when 'W' then number.(:wnum1, '\d{1,2}', 0..53)
    when 's' then number.(:seconds, '[-+]?\d+')
    when 'Q'
      found = number.(:seconds, '[-+]?\d+')
      parts[:seconds] = Rational(parts[:seconds], 1000) if found
      found
    when 'z', 'Z'
      match = /\A\s*((?:gmt|utc)?[-+]\d+(?:[,.:]\d+(?::\d+)?)?|[[:alpha:]]+)/i.match(rest)
      return nil unless match
      parts[:zone] = match[1]
      parts[:offset] = zone_to_offset(match[1])
      match[0].length
    when '%' then rest.start_with?('%') ? 1 : nil
    end
  end
  private_class_method :strptime_field

  attr_reader :jd

  def year = civil_parts[0]
  def month = civil_parts[1]
  alias mon month
  def day = civil_parts[2]
  alias mday day
  def wday = (@jd + 1) % 7
  def yday = @jd - Date.civil_to_jd(year, 1, 1) + 1
  def cwday = wday == 0 ? 7 : wday
  def cwyear = Date.jd_to_civil(@jd - (@jd % 7) + 3)[0]
  def mjd = @jd - 2_400_001
  def amjd = Rational(@jd * 2 - 4_800_003, 2)
  def infinite? = false
  def new_start(_start = ITALY) = dup
  alias italy new_start
  alias gregorian new_start
  def ld = @jd - 2_299_160
  def ajd = Rational(@jd * 2 - 1, 2)
  def start = ITALY.to_f
  def day_fraction = Rational(0)

  def cweek
    fourth = Date.civil_to_jd(cwyear, 1, 4)
    (@jd - (fourth - fourth % 7)) / 7 + 1
  end

  def leap? = Date.leap?(year)
  def julian? = @jd < ITALY
  def gregorian? = !julian?

  DAYNAMES.each_with_index { |name, number| define_method("#{name.downcase}?") { wday == number } }

  def +(other)
    raise TypeError, 'expected numeric' unless other.is_a?(Numeric)
    moved(other)
  end

  def -(other)
    case other
    when Date then difference(other)
    when Numeric then moved(-other)
    else raise TypeError, 'expected numeric'
    end
  end

  def >>(other)
    raise TypeError, 'expected numeric' unless other.is_a?(Numeric)
    months = year * 12 + month - 1 + other.to_i
    year, month = months.div(12), months % 12 + 1
    day = self.day
    day -= 1 until Date.valid_civil_to_jd(year, month, day)
    moved(Date.civil_to_jd(year, month, day) - @jd)
  end

  def <<(other) = self >> -other
  def next_day(count = 1) = self + count
  def prev_day(count = 1) = self - count
  def next_month(count = 1) = self >> count
  def prev_month(count = 1) = self << count
  def next_year(count = 1) = self >> count * 12
  def prev_year(count = 1) = self << count * 12
  def next = next_day
  alias succ next

  def <=>(other)
    case other
    when Date then [@jd, seconds_of_day] <=> [other.jd, other.seconds_of_day]
    when Numeric then ajd <=> other
    end
  end

  def ==(other) = other.is_a?(Date) && (self <=> other) == 0
  def ===(other) = other.is_a?(Date) ? @jd == other.jd : self == other
  def eql?(other) = other.is_a?(Date) && self == other
  def hash = [@jd, seconds_of_day].hash

  def step(limit, by = 1)
    return to_enum(:step, limit, by) unless block_given?
    date = self
    while by > 0 ? date <= limit : date >= limit
      yield date
      date += by
    end
    self
  end

  def upto(last, &block) = block ? step(last, 1, &block) : to_enum(:upto, last)
  def downto(last, &block) = block ? step(last, -1, &block) : to_enum(:downto, last)

  def strftime(format = '%F')
    to_zoned_time.strftime(format.gsub('%Z', '%:z').gsub('%Q') { to_zoned_time.to_i * 1000 })
  end

  def to_s = strftime('%Y-%m-%d')
  alias iso8601 to_s
  alias xmlschema to_s
  def inspect = "#<#{self.class}: #{self} ((#{@jd}j,#{seconds_of_day}s,0n),+0s,2299161j)>"
  def rfc2822 = strftime('%a, %-d %b %Y %T %z')
  alias rfc822 rfc2822
  def httpdate = strftime('%a, %d %b %Y %T GMT')
  def rfc3339 = strftime('%Y-%m-%dT%H:%M:%S%:z')
  def ctime = strftime('%a %b %e %T %Y')
  alias asctime ctime
  def to_date = Date.jd(@jd)
  def to_time = Time.local(year, month, day)
  def to_datetime = DateTime.civil(year, month, day)
  def deconstruct_keys(_keys) = { year: year, month: month, day: day, wday: wday, yday: yday }
  def seconds_of_day = 0

  private

  def fill(number)
    @jd = number
  end

  def civil_parts
    @civil_parts ||= Date.jd_to_civil(@jd)
  end

  def moved(days) = Date.jd(@jd + days.floor)
  def difference(other) = Rational((@jd - other.jd) * 86_400 + seconds_of_day - other.seconds_of_day, 86_400)
  def to_zoned_time = Time.utc(year, month, day)
end

class DateTime < Date
  class << self
    def civil(year = -4712, month = 1, day = 1, hour = 0, minute = 0, second = 0, offset = 0, _start = Date::ITALY)
      offset = offset.is_a?(String) ? (Date.zone_to_offset(offset) || 0) : (offset * 86_400).to_i
      hour += 24 if hour < 0
      minute += 60 if minute < 0
      second += 60 if second < 0
      valid = Date.valid_civil_to_jd(year, month, day) && hour.between?(0, 24) && minute.between?(0, 59) && second >= 0 && second < 60
      raise Date::Error, 'invalid date' unless valid
      made = allocate
      made.__send__(:fill_time, Time.new(year, month, Date.jd_to_civil(Date.valid_civil_to_jd(year, month, day))[2], hour, minute, second, offset))
      made
    end
    alias new civil

    def now(_start = Date::ITALY) = of_time(Time.now)

    def of_time(time)
      made = allocate
      made.__send__(:fill_time, time.utc? ? time.getlocal(0) : time)
      made
    end

    def parse(text = '-4712-01-01T00:00:00+00:00', complete = true, _start = Date::ITALY, limit: 128)
      of_parts(_parse(text, complete, limit: limit))
    end

    def strptime(text = '-4712-01-01T00:00:00+00:00', format = '%FT%T%z', _start = Date::ITALY)
      parts = _strptime(text, format)
      raise Date::Error, 'invalid date' if parts.nil? || parts[:leftover]
      of_parts(parts)
    end

    def iso8601(text, _start = Date::ITALY, limit: 128) = parse(text)
    alias xmlschema iso8601
    alias rfc3339 iso8601

    private

    def of_parts(parts)
      return of_time(Time.at(parts[:seconds]).utc) if parts[:seconds]
      date = parts[:year] || parts[:mon] || parts[:mday] || parts[:yday] || parts[:cweek] || parts[:wday] ? Date.__send__(:from_parts, parts) : nil
      raise Date::Error, 'invalid date' unless date || parts[:hour]
      date ||= Date.today
      civil(date.year, date.month, date.day, parts[:hour] || 0, parts[:min] || 0, (parts[:sec] || 0) + (parts[:sec_fraction] || 0), Rational(parts[:offset] || 0, 86_400))
    end
  end

  def hour = @time.hour
  def minute = @time.min
  alias min minute
  def second = @time.sec
  alias sec second
  def sec_fraction = @time.subsec.to_r
  alias second_fraction sec_fraction
  def zone = @time.strftime('%:z')
  def offset = Rational(@time.utc_offset, 86_400)
  def new_offset(offset = 0) = DateTime.of_time(@time.getlocal(offset.is_a?(String) ? offset : (offset * 86_400).to_i))
  def to_s = strftime('%Y-%m-%dT%H:%M:%S%:z')
  def iso8601(digits = 0) = strftime(digits > 0 ? "%Y-%m-%dT%H:%M:%S.%#{digits}N%:z" : '%Y-%m-%dT%H:%M:%S%:z')
  alias xmlschema iso8601
  def strftime(format = '%FT%T%:z') = super
  def inspect = "#<#{self.class}: #{self} ((#{utc_jd}j,#{seconds_of_day}s,#{@time.nsec}n),+#{@time.utc_offset}s,2299161j)>"
  def to_time = @time.dup
  def to_datetime = self
  def to_date = Date.civil(year, month, day)
  def day_fraction = Rational(hour * 3600 + minute * 60 + second, 86_400)
  def seconds_of_day = @time.getutc.then { |time| time.hour * 3600 + time.min * 60 + time.sec }

  private

  def utc_jd
    time = @time.getutc
    Date.civil_to_jd(time.year, time.month, time.day)
  end

  def fill_time(time)
    @time = time
    @jd = Date.civil_to_jd(time.year, time.month, time.day)
  end

  def moved(days) = DateTime.of_time(@time + days * 86_400)
  def difference(other) = other.is_a?(DateTime) ? (to_time.to_r - other.to_time.to_r) / 86_400 : super
  def to_zoned_time = @time
end

class Time
  # Times know no other calendar than the Gregorian one.
  def to_date = Date.jd(Time.utc(year, month, day).to_i / 86_400 + 2_440_588)
  def to_datetime = DateTime.of_time(self)
  def to_time = self
end
