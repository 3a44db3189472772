# The short forms of words that can be told from each other.
module Abbrev
  def abbrev(words, pattern = nil)
    pattern = /\A#{Regexp.quote(pattern)}/ if pattern.is_a?(String)
    table = {}
    seen = Hash.new(0)
    words.each do |word|
      next if word.empty?
      (word.size - 1).downto(1) do |length|
        short = word[0...length]
        next if pattern && pattern !~ short
        case seen[short] += 1
        when 1 then table[short] = word
        when 2 then table.delete(short)
        end
      end
    end
    words.each { |word| table[word] = word if !pattern || pattern =~ word }
    table
  end
  module_function :abbrev
end

class Array
  def abbrev(pattern = nil) = Abbrev.abbrev(self, pattern)
end
