# XML documents: read, asked with the common part of XPath, changed and written.
module REXML
  class ParseException < RuntimeError
    attr_reader :line, :position

    def initialize(message, source = nil, rest = nil)
      @line = source && source[0, source.length - rest.length].count("\n") + 1
      @position = source && (source.length - rest.length)
      super(source ? "#{message}\nLine: #{@line}\nPosition: #{@position}\nLast 80 unconsumed characters:\n#{rest[0, 80]}" : message)
    end
  end

  class UndefinedNamespaceException < ParseException; end

  # What stands in a document.
  class Child
    attr_accessor :parent

    def document = parent.is_a?(Document) ? parent : parent&.document
    def write(output, indent = -1) = Formatters.for(indent).write(self, output)
    def next_sibling = parent && parent.children[parent.children.index { |it| it.equal?(self) } + 1]

    def previous_sibling
      index = parent ? parent.children.index { |it| it.equal?(self) } : 0
      index.zero? ? nil : parent.children[index - 1]
    end

    def remove
      parent&.delete(self)
      self
    end
    alias remove_me remove

    def replace_with(other)
      parent.children[parent.children.index { |it| it.equal?(self) }] = other
      other.parent = parent
      self
    end
  end

  class Text < Child
    NAMES = { 'lt' => '<', 'gt' => '>', 'quot' => '"', 'apos' => "'", 'amp' => '&' }.freeze

    def self.normalize(text, *) = text.to_s.gsub(/[&<>"']/) { |sign| "&#{NAMES.key(sign)};" }

    def self.unnormalize(text, *)
      text.gsub(/&(?:#x(\h+)|#(\d+)|(\w+));/) do |whole|
        next [$1.hex].pack('U') if $1
        $2 ? [$2.to_i].pack('U') : NAMES.fetch($3, whole)
      end
    end

    def initialize(text, _respect_whitespace = false, parent = nil, raw = nil, *)
      @text = text.to_s.dup
      @raw = raw
      parent&.add(self)
    end

    def value = @raw ? Text.unnormalize(@text) : @text

    def value=(text)
      @text = text.to_s
      @raw = false
    end

    def to_s = @raw ? @text : Text.normalize(@text)
    def <<(text) = @text << (@raw ? Text.normalize(text) : text)
    def empty? = @text.empty?
    def inspect = @text.inspect
    def node_type = :text
    def clone = Text.new(@text, false, nil, @raw)
    def <=>(other) = to_s <=> other.to_s
  end

  class CData < Text
    def value = @text
    def to_s = @text
    def whole = "<![CDATA[#{@text}]]>"
    def clone = CData.new(@text)
  end

  class Comment < Child
    attr_accessor :string

    def initialize(string)
      @string = string
    end

    def to_s = "<!--#{@string}-->"
    def node_type = :comment
    def clone = Comment.new(@string)
  end

  # What is written as it was read: instructions and document types.
  class Verbatim < Child
    def initialize(text)
      @text = text
    end

    def to_s = @text
    def clone = self.class.new(@text)
  end

  class Instruction < Verbatim
    def node_type = :processing_instruction
    def target = @text[/\A<\?(\S+)/, 1]
    def content = @text[/\A<\?\S+\s*(.*?)\s*\?>\z/m, 1]
  end

  class DocType < Verbatim
    def name = @text[/\A<!DOCTYPE\s+([^\s>\[]+)/, 1]
    def node_type = :doctype
  end

  class XMLDecl < Child
    attr_accessor :version, :encoding, :standalone

    def initialize(version = '1.0', encoding = nil, standalone = nil)
      @version, @encoding, @standalone = version, encoding, standalone
    end

    def to_s
      parts = ["<?xml version='#{@version}'"]
      parts << "encoding='#{@encoding}'" if @encoding
      parts << "standalone='#{@standalone}'" if @standalone
      "#{parts.join(' ')}?>"
    end

    def node_type = :xmldecl
    def clone = XMLDecl.new(@version, @encoding, @standalone)
  end

  class Attribute
    attr_reader :name
    attr_accessor :element

    def initialize(name, value = '', raw = false)
      @name, @text, @raw = name.to_s, value.to_s, raw
    end

    alias expanded_name name
    def value = @raw ? Text.unnormalize(@text) : @text
    def to_s = @raw ? @text : Text.normalize(@text)
    def to_string = "#{@name}='#{to_s.gsub("'", '&apos;')}'"
    def inspect = to_string
    def remove = @element.attributes.delete(@name)
  end

  class Attributes < Hash
    def initialize(element)
      @element = element
      super()
    end

    def [](name) = get_attribute(name)&.value
    def get_attribute(name) = fetch(name.to_s, nil)

    def []=(name, value)
      return delete(name) if value.nil?
      attribute = value.is_a?(Attribute) ? value : Attribute.new(name, value)
      attribute.element = @element
      store(name.to_s, attribute)
    end

    def <<(attribute)
      self[attribute.name] = attribute
      self
    end
    alias add <<

    def delete(name)
      super(name.is_a?(Attribute) ? name.name : name.to_s)
      @element
    end

    def each_attribute(&block) = each_value(&block)
    def each = each_pair { |name, attribute| yield name, attribute.value }
    def to_a = values
    def length = size
  end

  # What has children.
  class Parent < Child
    include Enumerable
    attr_reader :children

    def initialize
      @children = []
    end

    def add(child)
      child.parent&.delete(child)
      child.parent = self
      @children << child
      child
    end
    alias << add
    alias push add

    def unshift(child)
      child.parent = self
      @children.unshift(child)
    end

    def insert_before(place, child) = insert(place, child, 0)
    def insert_after(place, child) = insert(place, child, 1)

    def delete(child)
      found = @children.index { |it| it.equal?(child) }
      return nil unless found
      child.parent = nil
      @children.delete_at(found)
    end

    def each(&block) = @children.each(&block)
    alias each_child each
    def to_a = @children.dup
    def [](index) = @children[index]
    def size = @children.size
    alias length size
    def parent? = true

    private

    def insert(place, child, behind)
      place = XPath.first(self, place) if place.is_a?(String)
      child.parent = self
      @children.insert(@children.index { |it| it.equal?(place) } + behind, child)
      self
    end
  end

  class Element < Parent
    attr_reader :attributes, :elements
    attr_accessor :name, :prefix

    def initialize(name = 'UNDEFINED', parent = nil, _context = nil)
      super()
      self.name = name.is_a?(Element) ? name.expanded_name : name.to_s
      @attributes = Attributes.new(self)
      @elements = Elements.new(self)
      parent&.add(self)
    end

    def name=(name)
      @prefix, @name = name.include?(':') ? name.split(':', 2) : ['', name]
    end

    def expanded_name = @prefix.empty? ? @name : "#{@prefix}:#{@name}"
    def node_type = :element
    def root = document ? document.root : top
    def root_node = parent ? parent.root_node : self

    def clone
      made = Element.new(expanded_name)
      @attributes.each_attribute { |it| made.attributes << Attribute.new(it.name, it.to_s, true) }
      made
    end

    def deep_clone
      made = clone
      @children.each { |it| made.add(it.is_a?(Element) ? it.deep_clone : it.clone) }
      made
    end

    def namespace(prefix = nil)
      key = (prefix || @prefix).empty? ? 'xmlns' : "xmlns:#{prefix || @prefix}"
      @attributes[key] || (parent.is_a?(Element) ? parent.namespace(prefix || @prefix) : '')
    end

    def add_namespace(prefix, uri = nil)
      @attributes[uri ? "xmlns:#{prefix}" : 'xmlns'] = uri || prefix
      self
    end

    def text(path = nil)
      found = get_text(path)
      found&.value
    end

    def get_text(path = nil)
      element = path ? @elements[path] : self
      element&.texts&.first
    end

    def text=(text)
      old = get_text
      return (old&.remove; self) if text.nil?
      made = text.is_a?(Text) ? text : Text.new(text)
      old ? old.replace_with(made) : add(made)
      self
    end

    def add_text(text)
      last = @children.last
      last.instance_of?(Text) && text.is_a?(String) ? last << text : add(text.is_a?(Text) ? text : Text.new(text))
      self
    end

    def texts = @children.grep(Text)
    def cdatas = @children.grep(CData)
    def comments = @children.grep(Comment)
    def has_text? = !texts.empty?
    def has_elements? = !@elements.empty?
    def has_attributes? = !@attributes.empty?
    def attribute(name, _namespace = nil) = @attributes.get_attribute(name)
    def [](key) = key.is_a?(Integer) ? @children[key] : @attributes[key]

    def add_element(element, attributes = nil) = @elements.add(element, attributes)
    def delete_element(which) = @elements.delete(which)

    def add_attribute(name, value = nil)
      name.is_a?(Attribute) ? @attributes << name : @attributes[name] = value
    end

    def add_attributes(attributes) = attributes.each { |name, value| @attributes[name] = value }
    def delete_attribute(name) = @attributes.delete(name)
    def each_element(path = nil, &block) = @elements.each(path, &block)
    def get_elements(path) = @elements.to_a(path)
    def xpath = "#{parent.is_a?(Element) && !parent.is_a?(Document) ? parent.xpath : ''}/#{expanded_name}"

    def each_element_with_attribute(name, value = nil, _max = 0, path = nil, &block)
      @elements.to_a(path).select { |it| it.attributes[name] && (value.nil? || it.attributes[name] == value) }.each(&block)
    end

    def each_element_with_text(text = nil, _max = 0, path = nil, &block)
      @elements.to_a(path).select { |it| text ? it.text == text : it.has_text? }.each(&block)
    end

    def next_element = beside { |it| it.next_sibling }
    def previous_element = beside { |it| it.previous_sibling }

    def to_s
      output = +''
      Formatters::Default.new.write(self, output)
      output
    end

    def inspect
      shown = @attributes.to_a.map { |it| " #{it.to_string}" }.join
      @children.empty? ? "<#{expanded_name}#{shown}/>" : "<#{expanded_name}#{shown}> ... </>"
    end

    private

    def top = parent.is_a?(Element) ? parent.root : self

    def beside
      other = yield self
      other = yield other until other.nil? || other.is_a?(Element)
      other
    end
  end

  class Elements
    include Enumerable

    def initialize(parent)
      @parent = parent
    end

    def all = @parent.children.grep(Element)

    def [](which, name = nil)
      return XPath.first(@parent, which) unless which.is_a?(Integer)
      raise "index (#{which}) must be >= 1" if which < 1
      (name ? all.select { |it| it.name == name } : all)[which - 1]
    end

    def []=(which, element)
      old = self[which]
      old ? old.replace_with(element) : @parent.add(element)
      self
    end

    def add(element, attributes = nil)
      element = element.is_a?(Element) ? element : Element.new(element || 'UNDEFINED')
      @parent.add(element)
      element.add_attributes(attributes) if attributes
      element
    end

    def <<(element) = add(element)

    def delete(which)
      found = which.is_a?(Element) ? which : self[which]
      found&.remove
    end

    def delete_all(path) = to_a(path).each(&:remove)
    def to_a(path = nil) = path ? XPath.match(@parent, path) : all
    def collect(path = nil, &block) = to_a(path).grep(Element).map(&block)
    alias map collect

    def each(path = nil, &block)
      return to_enum(:each, path) unless block
      to_a(path).each(&block)
    end

    def size = all.size
    alias count size
    def empty? = all.empty?
    def index(element) = (all.index { |it| it.equal?(element) } || -2) + 1
    def parent = @parent
  end

  class Document < Element
    def self.parse_stream(*) = raise(NotImplementedError, 'XML is not read as a stream here')

    def initialize(source = nil, context = {})
      super('UNDEFINED')
      return if source.nil?
      return source.children.each { |it| add(it.is_a?(Element) ? it.deep_clone : it.clone) } if source.is_a?(Document)
      Reader.new(source.respond_to?(:read) ? source.read : source, self, context).read
    end

    def root = elements[1]
    def document = self
    def doctype = children.grep(DocType).first
    def xml_decl = children.grep(XMLDecl).first || XMLDecl.new
    def version = xml_decl.version
    def encoding = xml_decl.encoding || 'UTF-8'
    def stand_alone? = xml_decl.standalone
    def node_type = :document
    def expanded_name = ''
    alias name expanded_name

    def add(child)
      raise 'attempted adding second root element to document' if child.is_a?(Element) && root
      return super unless child.is_a?(XMLDecl)
      delete(xml_decl)
      unshift(child)
      child
    end
    alias << add

    def add_element(element = nil, attributes = nil) = elements.add(element, attributes)

    def write(output = $stdout, indent = -1, *)
      output, indent = [output[:output] || $stdout, output[:indent] || -1] if output.is_a?(Hash)
      Formatters.for(indent).write(self, output)
    end

    def inspect = '<UNDEFINED> ... </>'
  end

  # Reads a document.
  class Reader
    NAME = /[[:alpha:]_:][\w:.\-]*/
    ATTRIBUTE = /\A\s*(#{NAME})\s*=\s*(?:"([^"]*)"|'([^']*)')/

    def initialize(source, document, context)
      @source, @rest, @document, @context = source, source, document, context
      @open = [document]
    end

    def read
      step until @rest.empty?
      return if @open.size == 1
      raise ParseException.new("No close tag for #{@open.last.xpath}", @source, '')
    end

    private

    def step
      case @rest
      when /\A<\?xml\s(.*?)\?>/m
        take($&) && @document.add(declaration($1))
      when /\A<\?.*?\?>/m then take($&) && @open.last.add(Instruction.new($&))
      when /\A<!--(.*?)-->/m then take($&) && @open.last.add(Comment.new($1))
      when /\A<!\[CDATA\[(.*?)\]\]>/m then take($&) && @open.last.add(CData.new($1))
      when /\A<!DOCTYPE[^>\[]*(?:\[.*?\]\s*)?>/m then take($&) && @document.add(DocType.new($&))
      when %r{\A</\s*(#{NAME})\s*>}m then take($&) && close($1)
      when /\A<(#{NAME})/ then take($&) && open($1)
      when /\A</ then raise ParseException.new("malformed XML: missing tag start\n#{@rest[/\A[^>]*>?/]}", @source, @rest)
      else text(@rest[/\A[^<]+/])
      end
    end

    def take(text)
      @rest = @rest[text.length..]
      true
    end

    def declaration(text)
      parts = text.scan(/(\w+)\s*=\s*(?:"([^"]*)"|'([^']*)')/).to_h { |name, one, other| [name, one || other] }
      XMLDecl.new(parts['version'] || '1.0', parts['encoding'], parts['standalone'])
    end

    def open(name)
      element = Element.new(name)
      while (found = ATTRIBUTE.match(@rest))
        raise ParseException.new("Duplicate attribute \"#{found[1]}\"", @source, @rest) if element.attributes.key?(found[1])
        element.attributes << Attribute.new(found[1], found[2] || found[3], true)
        @rest = found.post_match
      end
      ending = @rest[%r{\A\s*/?>}] || raise(ParseException.new("Malformed XML: Content at the start of a tag or unclosed: <#{name}", @source, @rest))
      take(ending)
      raise ParseException.new('Malformed XML: Extra tag at the end of the document', @source, @rest) if @open.size == 1 && @document.root
      @open.last.add(element)
      @open << element unless ending.include?('/')
    end

    def close(name)
      last = @open.last
      if last.equal?(@document)
        raise ParseException.new("Unexpected top-level end tag (got '#{name}')", @source, @rest)
      elsif last.expanded_name != name
        raise ParseException.new("Missing end tag for '#{last.expanded_name}' (got '#{name}')", @source, @rest)
      end
      @open.pop
    end

    def text(text)
      take(text)
      inside = @open.size > 1
      raise ParseException.new("Malformed XML: Content at the #{@document.root ? 'end' : 'start'} of the document (got '#{text.strip}')", @source, @rest) if !inside && !text.strip.empty?
      return if !inside && @document.children.empty?
      return if @context[:ignore_whitespace_nodes] == :all && text.strip.empty?
      text = text.squeeze(" \n\t") if @context[:compress_whitespace] == :all
      @open.last.add(Text.new(text, true, nil, true))
    end
  end

  # Paths into a document: steps with names, `*`, `.`, `..`, `//`, `text()`, `@name`, and conditions on them.
  module XPath
    STEP = %r{\A(?:@?[\w:.\-]+(?:\(\))?|@?\*|\.\.?)}

    class << self
      def first(element, path = nil, _namespaces = nil, _variables = {}) = match(element, path).first

      def each(element, path = nil, _namespaces = nil, _variables = {}, &block) = match(element, path).each(&block)

      def match(element, path = nil, _namespaces = nil, _variables = {})
        path ||= '*'
        path.split('|').flat_map { |part| one(element, part.strip) }
      end

      private

      def one(element, path)
        return element.is_a?(Document) ? [element.root].compact : [element.document].compact if path == '/'
        nodes = [path.start_with?('/') ? element.document || element.root_node : element]
        rest = path.sub(%r{\A/(?!/)}, '')
        until rest.empty?
          deep = rest.start_with?('//')
          rest = rest.sub(%r{\A//?}, '')
          step = rest[STEP] || raise(NotImplementedError, "the path #{path} is not understood here")
          rest = rest[step.length..]
          conditions = []
          while (found = rest[/\A\[(?:[^\[\]'"]|'[^']*'|"[^"]*")*\]/])
            conditions << found[1..-2].strip
            rest = rest[found.length..]
          end
          nodes = nodes.flat_map { |node| with_conditions(taken(deep ? within(node) : [node], step), conditions, path) }
          nodes = nodes.uniq(&:__id__)
        end
        nodes
      end

      def within(node) = [node] + node.children.grep(Element).flat_map { |it| within(it) }

      def taken(nodes, step)
        nodes.map { |node| node.is_a?(Element) ? found(node, step) : [] }
      end

      def found(node, step)
        case step
        when '.' then [node]
        when '..' then [node.parent].compact
        when '*' then node.elements.all
        when 'text()' then node.texts
        when 'node()' then node.children
        when 'comment()' then node.comments
        when '@*' then node.attributes.to_a
        when /\A@(.*)/ then [node.attributes.get_attribute($1)].compact
        when /\(\)\z/ then raise NotImplementedError, "the step #{step} of a path is not understood here"
        else node.elements.all.select { |it| it.expanded_name == step || (it.name == step && it.prefix.empty?) }
        end
      end

      def with_conditions(groups, conditions, path)
        groups.flat_map do |group|
          conditions.inject(group) { |nodes, condition| nodes.select.with_index(1) { |node, at| holds?(node, at, nodes.size, condition, path) } }
        end
      end

      def holds?(node, at, size, condition, path)
        case condition
        when /\A\d+\z/ then at == condition.to_i
        when 'last()' then at == size
        when /\Aposition\(\)\s*=\s*(\d+)\z/ then at == $1.to_i
        when /\A(.+?)\s+and\s+(.+)\z/m then [$1, $2].all? { |it| holds?(node, at, size, it, path) }
        when /\A(.+?)\s+or\s+(.+)\z/m then [$1, $2].any? { |it| holds?(node, at, size, it, path) }
        when /\Anot\((.+)\)\z/m then !holds?(node, at, size, $1, path)
        when /\A(?:contains|starts-with)\(\s*([^,]+?)\s*,\s*(?:'([^']*)'|"([^"]*)")\s*\)\z/
          wanted, kind = $2 || $3, condition.start_with?('contains') ? :include? : :start_with?
          strings(node, $1).any? { |it| it.send(kind, wanted) }
        when /\A(@?[\w:.\-\/]+(?:\(\))?|\.)\s*(!?=)\s*(?:'([^']*)'|"([^"]*)"|(\d+))\z/
          wanted, negated = $3 || $4 || $5, $2 == '!='
          strings(node, $1).any? { |it| (it == wanted) ^ negated }
        when %r{\A@?[\w:.\-*/]+(?:\(\))?\z} then !one(node, condition).empty?
        else raise NotImplementedError, "the path #{path} is not understood here"
        end
      end

      def strings(node, path)
        return [node.name] if path == 'name()'
        one(node, path).map { |it| it.is_a?(Element) ? within(it).flat_map(&:texts).map(&:value).join : it.value }
      end
    end
  end

  module Formatters
    def self.for(indent) = indent.negative? ? Default.new : Pretty.new(indent)

    class Default
      def initialize(_ie_hack = false); end

      def write(node, output)
        case node
        when Document then node.children.each { |it| write(it, output) }
        when Element then write_element(node, output)
        when CData then output << node.whole
        else output << node.to_s
        end
      end

      protected

      def write_element(node, output)
        output << "<#{node.expanded_name}"
        node.attributes.each_attribute { |it| output << " #{it.to_string}" }
        return output << '/>' if node.children.empty?
        output << '>'
        node.children.each { |it| write(it, output) }
        output << "</#{node.expanded_name}>"
      end
    end

    class Transitive < Default; end

    class Pretty < Default
      attr_accessor :compact, :width

      def initialize(indentation = 2, _ie_hack = false)
        @indentation, @level, @width, @compact = indentation, 0, 80, false
      end

      def write(node, output)
        case node
        when Document
          node.children.reject { |it| it.instance_of?(Text) }.each_with_index do |it, index|
            output << "\n" unless index.zero?
            write(it, output)
          end
        when CData then output << (' ' * @level) << node.whole
        when Text
          text = node.to_s.gsub(/\s/, ' ').squeeze(' ')
          output << ' ' * @level + wrap(text, @width - @level).gsub("\n", "\n#{' ' * @level}")
        when Comment then output << ' ' * @level + node.to_s
        else super
        end
      end

      protected

      def write_element(node, output)
        output << ' ' * @level + "<#{node.expanded_name}"
        node.attributes.each_attribute { |it| output << " #{it.to_string}" }
        return output << '/>' if node.children.empty?
        output << '>'
        write_children(node, output) unless @compact && write_line(node, output)
        output << "</#{node.expanded_name}>"
      end

      def write_line(node, output)
        return false unless node.children.all?(Text)
        level, @level, line = @level, 0, +''
        node.children.each { |it| write(it, line) }
        @level = level
        return false unless line.length < @width
        output << line
        true
      end

      def write_children(node, output)
        output << "\n"
        @level += @indentation
        node.children.each do |it|
          next if it.is_a?(Text) && it.to_s.strip.empty?
          write(it, output)
          output << "\n"
        end
        @level -= @indentation
        output << ' ' * @level
      end

      def wrap(text, width)
        return text if text.length <= width
        place = text.rindex(' ', width)
        return text if place.nil? || place.zero?
        "#{text[0, place]}\n#{wrap(text[(place + 1)..], width)}"
      end
    end
  end
end
