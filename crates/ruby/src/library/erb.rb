# Templates: text with Ruby in it.
class ERB
  module Util
    TABLE = { '&' => '&amp;', '<' => '&lt;', '>' => '&gt;', '"' => '&quot;', "'" => '&#39;' }.freeze

    def html_escape(text)
      text.to_s.gsub(/['&"<>]/, TABLE)
    end
    alias h html_escape
    module_function :h, :html_escape

    def url_encode(text)
      text.to_s.gsub(/[^a-zA-Z0-9_\-.~]/) { |sign| sign.bytes.map { |byte| format('%%%02X', byte) }.join }
    end
    alias u url_encode
    module_function :u, :url_encode
  end

  attr_reader :src, :encoding
  attr_accessor :filename, :lineno

  def self.version
    '2.2.3'
  end

  def initialize(template, safe_level = nil, old_trim_mode = nil, old_variable = nil, trim_mode: nil, eoutvar: '_erbout')
    trim_mode = old_trim_mode if old_trim_mode
    eoutvar = old_variable if old_variable
    trim_mode = { 1 => '>', 2 => '<>' }.fetch(trim_mode, nil) if trim_mode.is_a?(Integer)
    if trim_mode && !trim_mode.match?(/\A(%|-|>|<>){1,2}\z/)
      warn "Invalid ERB trim mode: #{trim_mode.inspect} (trim_mode: nil, 0, 1, 2, or String composed of '%' and/or '-', '>', '<>')"
    end
    @src = Compiler.source(template, trim_mode, eoutvar)
    @encoding = Encoding::UTF_8
    @lineno = 0
    @filename = nil
  end

  def location=(place)
    @filename, line = place
    @lineno = line if line
  end

  def result(place = TOPLEVEL_BINDING)
    unless place.is_a?(Binding)
      raise ArgumentError, "wrong argument type #{place.class} (expected binding)"
    end
    place.eval(@src, @filename || '(erb)', @lineno)
  end

  def result_with_hash(values)
    place = Compiler.place(values.keys)
    values.each_pair { |name, value| place.local_variable_set(name, value) }
    result(place)
  end

  def run(place = TOPLEVEL_BINDING)
    print result(place)
  end

  def def_method(target, signature, filename = '(ERB)')
    code = src.sub(/^(?!#|$)/) { "def #{signature}\n" } << "\nend\n"
    target.module_eval(code, filename, -1)
  end

  def def_module(name = 'erb')
    target = Module.new
    def_method(target, name, @filename || '(ERB)')
    target
  end

  def def_class(superclass = Object, name = 'result')
    target = Class.new(superclass)
    def_method(target, name, @filename || '(ERB)')
    target
  end
end
