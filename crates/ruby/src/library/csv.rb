# Tables as text, with commas between the fields.
require 'stringio'

class CSV
  include Enumerable

  class MalformedCSVError < RuntimeError
    attr_reader :line_number
    alias lineno line_number

    def initialize(message, line)
      @line_number = line
      super("#{message} in line #{line}.")
    end
  end

  Converters = {
    integer: ->(field) { Integer(field) rescue field },
    float: ->(field) { Float(field) rescue field },
    numeric: %i[integer float],
    date: ->(field) { field =~ /\A\d{4}-\d\d-\d\d\z/ ? (require('date'); Date.parse(field)) : field },
    all: %i[date numeric]
  }
  HeaderConverters = {
    downcase: ->(name) { name.downcase },
    symbol: ->(name) { name.strip.downcase.gsub(/[^\s\w]+/, '').gsub(/\s+/, '_').to_sym },
    symbol_raw: ->(name) { name.strip.to_sym }
  }
  DEFAULT_OPTIONS = { col_sep: ',', row_sep: :auto, quote_char: '"', headers: false }.freeze

  # A line of a table with headers.
  class Row
    include Enumerable

    def initialize(headers, fields, header_row = false)
      @header_row = header_row
      count = [headers.size, fields.size].max
      @row = Array.new(count) { |index| [headers[index], fields[index]] }
    end

    def headers = @row.map(&:first)
    def header_row? = @header_row
    def field_row? = !@header_row

    def fields(*names)
      names.empty? ? @row.map(&:last) : names.map { |name| self[name] }
    end
    alias values_at fields

    def [](name, offset = 0)
      return @row[name]&.last if name.is_a?(Integer)
      found = @row.drop(offset).assoc(name)
      found&.last
    end
    alias field []

    def []=(name, value)
      return @row[name][1] = value if name.is_a?(Integer)
      pair = @row.assoc(name)
      pair ? pair[1] = value : @row << [name, value]
    end

    def fetch(name, *default)
      found = @row.assoc(name)
      return found.last if found
      return yield(name) if block_given?
      return default.first unless default.empty?
      raise KeyError, "key not found: #{name}"
    end

    def field?(value) = fields.include?(value)
    def index(name, offset = 0) = @row.each_index.find { |at| at >= offset && @row[at].first == name }
    def push(*values) = values.each { |value| self << value } && self
    def delete_if(&block) = @row.delete_if(&block) && self
    def length = @row.size
    def has_key?(name) = !@row.assoc(name).nil?
    alias header? has_key?
    alias include? has_key?
    alias key? has_key?

    def <<(value)
      @row << (value.is_a?(Array) && value.size == 2 ? value : [nil, value])
      self
    end

    def delete(name) = @row.delete_at(@row.index { |key, _| key == name } || @row.size) || []
    def each(&block) = block ? (@row.each(&block); self) : @row.each
    alias each_pair each
    def to_h = @row.reverse.to_h.then { |all| headers.uniq.to_h { |name| [name, all[name]] } }
    alias to_hash to_h
    def to_a = @row
    def size = @row.size
    def empty? = @row.empty?
    def dig(name, *others) = others.empty? ? self[name] : self[name]&.dig(*others)
    def ==(other) = other.is_a?(Row) ? @row == other.to_a : @row == other
    def to_csv(**options) = CSV.generate_line(fields, **options)
    alias to_s to_csv
    def inspect = "#<CSV::Row #{@row.map { |name, value| "#{name.is_a?(Symbol) ? name : name.inspect}:#{value.inspect}" }.join(' ')}>"
  end

  # A table with headers.
  class Table
    include Enumerable

    attr_reader :mode

    def initialize(rows, headers: nil)
      @table = rows
      @headers = headers || (rows.first ? rows.first.headers : [])
      @mode = :col_or_row
    end

    def headers = @table.first ? @table.first.headers.dup : @headers.dup
    def by_col = dup.tap { |copy| copy.instance_variable_set(:@mode, :col) }
    def by_row = dup.tap { |copy| copy.instance_variable_set(:@mode, :row) }

    def [](place)
      if @mode == :row || (@mode == :col_or_row && (place.is_a?(Integer) || place.is_a?(Range)))
        @table[place]
      else
        @table.map { |row| row[place] }
      end
    end

    def []=(place, value)
      if place.is_a?(Integer) && @mode != :col
        @table[place] = value.is_a?(Row) ? value : Row.new(headers, value)
      else
        @table.each_with_index { |row, index| row[place] = value.is_a?(Array) ? value[index] : value }
      end
    end

    def values_at(*places)
      return @table.values_at(*places) if @mode != :col && places.all? { |place| place.is_a?(Integer) || place.is_a?(Range) }
      @table.map { |row| row.values_at(*places) }
    end

    def dig(place, *more) = more.empty? ? self[place] : self[place]&.dig(*more)
    def empty? = @table.empty?
    def push(*rows) = rows.each { |row| self << row } && self

    def delete_if(&block)
      @table.delete_if(&block)
      self
    end

    def by_col!
      @mode = :col
      self
    end

    def by_row!
      @mode = :row
      self
    end

    def by_col_or_row!
      @mode = :col_or_row
      self
    end

    def each(&block)
      return to_enum(:each) unless block
      if @mode == :col
        headers.each { |name| block.call([name, @table.map { |row| row[name] }]) }
      else
        @table.each(&block)
      end
      self
    end

    def <<(row)
      @table << (row.is_a?(Row) ? row : Row.new(headers, row))
      self
    end

    def size = @table.size
    alias length size
    def delete(name) = @table.map { |row| row.delete(name).last }
    def to_a = [headers] + @table.map(&:fields)
    def ==(other) = other.is_a?(Table) ? to_a == other.to_a : @table == other
    def to_csv(write_headers: true, **options)
      (write_headers ? [headers] : []).concat(@table.map(&:fields)).map { |row| CSV.generate_line(row, **options) }.join
    end
    alias to_s to_csv
    def inspect = "#<CSV::Table mode:#{@mode} row_count:#{to_a.size}>"
  end

  class << self
    def parse(text, **options, &block)
      csv = new(text, **options)
      return csv.each(&block) if block
      csv.read
    end

    def parse_line(text, **options) = new(text, **options).shift
    def generate_line(fields, **options) = new(String.new, **options).line_of(fields)

    def generate(text = String.new, **options)
      csv = new(text, **options)
      csv.seek_end
      yield csv
      csv.string
    end

    def read(path, **options) = open(path, **options, &:read)
    alias readlines read
    def table(path, **options) = read(path, headers: true, converters: :numeric, header_converters: :symbol, **options)
    def foreach(path, mode = 'r', **options, &block) = block ? open(path, mode, **options) { |csv| csv.each(&block) } : to_enum(:foreach, path, mode, **options)

    def open(path, mode = 'r', **options)
      file = File.open(path, mode)
      csv = new(file, **options)
      return csv unless block_given?
      begin
        yield csv
      ensure
        file.close
      end
    end
  end

  attr_reader :lineno

  def initialize(source = '', col_sep: ',', row_sep: :auto, quote_char: '"', headers: false, converters: nil, header_converters: nil, skip_blanks: false, skip_lines: nil, liberal_parsing: false, force_quotes: false, write_headers: false, return_headers: false, strip: false, nil_value: nil, empty_value: '', quote_empty: true, **_others)
    @io = source.is_a?(String) ? StringIO.new(source.frozen? ? source.dup : source) : source
    @separator, @quote, @headers_option = col_sep, quote_char, headers
    @row_separator = row_sep
    @converters = converters_of(converters, Converters)
    @header_converters = converters_of(header_converters, HeaderConverters)
    @skip_blanks, @skip_lines, @liberal, @force = skip_blanks, skip_lines, liberal_parsing, force_quotes
    @write_headers, @return_headers, @strip, @nil_value, @empty_value, @quote_empty = write_headers, return_headers, strip, nil_value, empty_value, quote_empty
    @lineno = 0
    @headers = nil
    @wrote_headers = false
  end

  def string = @io.string
  def seek_end = @io.seek(0, IO::SEEK_END)
  def headers = @headers || (@headers_option ? true : nil)
  def close = @io.close
  def rewind = @io.rewind

  def <<(row)
    if @write_headers && !@wrote_headers && @headers_option.is_a?(Array)
      @io << line_of(@headers_option)
      @wrote_headers = true
    end
    fields = row.is_a?(Row) ? row.fields : row
    fields = @headers_option.map { |name| row[name] } if row.is_a?(Hash) && @headers_option.is_a?(Array)
    fields = row.values if row.is_a?(Hash) && !@headers_option.is_a?(Array)
    @io << line_of(fields)
    self
  end
  alias add_row <<
  alias puts <<

  def line_of(fields)
    last = @row_separator == :auto ? "\n" : @row_separator
    fields.map { |field| quoted(field) }.join(@separator) + last
  end

  def each(&block)
    return to_enum(:each) unless block
    while (row = shift)
      block.call(row)
    end
    self
  end

  def read
    rows = to_a
    @headers_option ? Table.new(rows, headers: @headers || []) : rows
  end
  alias readlines read

  def shift
    read_headers if @headers_option && @headers.nil?
    return @pending.shift if @pending && !@pending.empty?
    fields = next_fields
    return nil unless fields
    return convert(fields) unless @headers_option
    Row.new(@headers, convert(fields, @headers))
  end
  alias gets shift
  alias readline shift

  private

  def converters_of(given, table)
    Array(given).flat_map do |converter|
      next [converter] unless converter.is_a?(Symbol)
      found = table.fetch(converter)
      found.is_a?(Array) ? converters_of(found, table) : [found]
    end
  end

  def read_headers
    case @headers_option
    when Array then @headers = @headers_option.dup
    when String then @headers = CSV.parse_line(@headers_option, col_sep: @separator)
    else
      @headers = next_fields || []
      @pending = [Row.new(@headers, @headers, true)] if @return_headers
    end
    @headers = @headers.map do |name|
      next name if name.nil?
      @header_converters.inject(name) { |value, converter| value.is_a?(String) ? converter.call(value) : value }.then { |made| made.is_a?(String) ? made.freeze : made }
    end
  end

  def convert(fields, headers = nil)
    fields.each_with_index.map do |field, index|
      field = @nil_value if field.nil?
      field = @empty_value if field == '' && @empty_value != ''
      next field unless field.is_a?(String)
      @converters.inject(field) do |value, converter|
        break value unless value.is_a?(String)
        converter.arity == 2 ? converter.call(value, headers && headers[index]) : converter.call(value)
      end
    end
  end

  def quoted(field)
    return @force ? @quote * 2 : '' if field.nil?
    text = field.to_s
    return @quote_empty || @force ? @quote * 2 : '' if text.empty?
    needs = @force || text.include?(@separator) || text.include?(@quote) || text =~ /[\r\n]/ || text =~ /\A[\s]|\s\z/ && text =~ /\A[ \t\r\n\f\v]|[ \t\r\n\f\v]\z/
    needs ? "#{@quote}#{text.gsub(@quote, @quote * 2)}#{@quote}" : text
  end

  def next_fields
    loop do
      line = next_line
      return nil unless line
      @lineno += 1
      body = line.chomp(@row_separator == :auto ? "\n" : @row_separator)
      body = body.chomp("\r") if @row_separator == :auto
      next if @skip_lines && body.match?(@skip_lines.is_a?(String) ? Regexp.new(Regexp.escape(@skip_lines)) : @skip_lines)
      if body.empty?
        next if @skip_blanks
        return []
      end
      return split(body)
    end
  end

  def next_line
    return @io.gets(@row_separator) unless @row_separator == :auto
    @io.gets
  end

  def split(line)
    fields = []
    rest = line
    loop do
      rest = rest.lstrip if @strip
      if @quote && rest.start_with?(@quote)
        field, rest = quoted_field(rest[@quote.length..])
      else
        field, found, rest = rest.partition(@separator)
        if @quote && field.include?(@quote) && !@liberal
          raise MalformedCSVError.new('Illegal quoting', @lineno)
        end
        raise MalformedCSVError.new('Unquoted fields do not allow new line "\r"', @lineno) if field.include?("\r") && !@liberal
        field = field.strip if @strip
        field = nil if field.empty?
        rest = nil if found.empty?
      end
      fields << field
      break unless rest
    end
    fields
  end

  def quoted_field(rest)
    start = @lineno
    field = +''
    loop do
      part, found, after = rest.partition(@quote)
      field << part
      if found.empty?
        more = next_line
        raise MalformedCSVError.new('Unclosed quoted field', start) unless more
        @lineno += 1
        field << "\n"
        rest = more.chomp
      elsif after.start_with?(@quote)
        field << @quote
        rest = after[@quote.length..]
      elsif after.empty?
        return [field, nil]
      elsif after.start_with?(@separator)
        return [field, after[@separator.length..]]
      elsif @strip && after.lstrip.empty?
        return [field, nil]
      elsif @liberal
        other, found, after = after.partition(@separator)
        return ["#{@quote}#{field}#{@quote}#{other}", found.empty? ? nil : after]
      else
        raise MalformedCSVError.new("Any value after quoted field isn't allowed", @lineno)
      end
    end
  end
end

class Array
  def to_csv(**options) = CSV.generate_line(self, **options)
end

class String
  def parse_csv(**options) = CSV.parse_line(self, **options)
end

def CSV(source = $stdout, **options)
  csv = CSV.new(source, **options)
  block_given? ? yield(csv) : csv
end
