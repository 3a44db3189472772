counts = Hash.new(0)
%w[x y x].each { |w| counts[w] += 1 }
[counts, counts['q'], counts.size]

