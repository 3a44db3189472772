# Words as a shell takes them apart and puts them together.
module Shellwords
  def self.shellescape(text)
    text = text.to_s
    return "''" if text.empty?
    text.gsub(%r{[^A-Za-z0-9_\-.,:+/@\n]}) { |sign| "\\#{sign}" }.gsub("\n", "'\n'")
  end

  def self.shelljoin(words)
    words.map { |word| shellescape(word) }.join(' ')
  end

  def self.shellsplit(line)
    words = []
    word = nil
    rest = line
    until rest.empty?
      if (found = rest.match(/\A\s+/))
        words << word if word
        word = nil
      elsif (found = rest.match(/\A'([^']*)'/))
        word = (word || '') + found[1]
      elsif (found = rest.match(/\A"((?:[^"\\]|\\.)*)"/m))
        word = (word || '') + found[1].gsub(/\\([$`"\\\n])/, '\\1')
      elsif rest == '\\'
        found = rest.match(/\A\\/)
        word = (word || '') + rest
      elsif (found = rest.match(/\A\\(.)/m))
        word = (word || '') + (found[1] == "\n" ? '' : found[1])
      elsif (found = rest.match(/\A[^\s\\'"]+/))
        word = (word || '') + found[0]
      else
        raise ArgumentError, "Unmatched quote: #{line.inspect}"
      end
      rest = found.post_match
    end
    words << word if word
    words
  end

  class << self
    alias escape shellescape
    alias join shelljoin
    alias split shellsplit
    alias shellwords shellsplit
  end

  def shellescape(text)
    Shellwords.shellescape(text)
  end

  def shelljoin(words)
    Shellwords.shelljoin(words)
  end

  def shellsplit(line)
    Shellwords.shellsplit(line)
  end
  alias shellwords shellsplit
end

class String
  def shellescape
    Shellwords.shellescape(self)
  end

  def shellsplit
    Shellwords.shellsplit(self)
  end
end

class Array
  def shelljoin
    Shellwords.shelljoin(self)
  end
end
