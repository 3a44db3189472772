# Things in the order of what they need.
module TSort
  class Cyclic < StandardError; end

  def tsort
    each_strongly_connected_component.map do |group|
      raise Cyclic, "topological sort failed: #{group.inspect}" if group.size > 1
      group.first
    end
  end

  def tsort_each(&block) = block ? tsort.each(&block) && nil : tsort.each
  def strongly_connected_components = each_strongly_connected_component.to_a

  def each_strongly_connected_component(&block)
    groups = TSort.groups(method(:tsort_each_node), method(:tsort_each_child))
    block ? groups.each(&block) && nil : groups.each
  end

  def self.tsort(each_node, each_child)
    groups(each_node, each_child).map do |group|
      raise Cyclic, "topological sort failed: #{group.inspect}" if group.size > 1
      group.first
    end
  end

  def self.strongly_connected_components(each_node, each_child) = groups(each_node, each_child)

  # Tarjan's algorithm.
  def self.groups(each_node, each_child)
    numbers = {}
    stack = []
    found = []
    visit = lambda do |node|
      lowest = numbers[node] = numbers.size
      place = stack.length
      stack << node
      each_child.call(node) do |child|
        reached = numbers.key?(child) ? numbers[child] : visit.call(child)
        lowest = reached if reached && reached < lowest
      end
      if lowest == numbers[node]
        group = stack.slice!(place..)
        group.each { |member| numbers[member] = nil }
        found << group
      end
      lowest
    end
    each_node.call { |node| visit.call(node) unless numbers.key?(node) }
    found
  end
end
