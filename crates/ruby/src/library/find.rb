# All files below some directories.
module Find
  def self.find(*paths, ignore_error: true)
    return enum_for(:find, *paths, ignore_error: ignore_error) unless block_given?
    paths.each do |path|
      raise Errno::ENOENT, path.to_s unless File.exist?(path)
      waiting = [path.to_s.dup]
      until waiting.empty?
        file = waiting.shift
        below = nil
        catch(:prune) do
          yield file
          below = File.lstat(file).directory? ? Dir.children(file).sort : nil
        rescue SystemCallError
          raise unless ignore_error
        end
        waiting.unshift(*below.map { |name| File.join(file, name) }) if below
      end
    end
    nil
  end

  def self.prune = throw(:prune)

  def find(*paths, **options, &block) = Find.find(*paths, **options, &block)
  def prune = Find.prune
end
