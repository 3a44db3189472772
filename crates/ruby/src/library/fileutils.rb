# Files as a shell handles them.
module FileUtils
  module_function

  def each_path(list) = [list].flatten.map { |path| path.respond_to?(:to_path) ? path.to_path : path }.each { |path| yield path }

  def pwd = Dir.pwd
  def cd(directory, **_options, &block) = Dir.chdir(directory, &block)

  def mkdir(list, mode: 0o777, **_options) = each_path(list) { |path| Dir.mkdir(path, mode) }

  def mkdir_p(list, mode: 0o777, **_options)
    each_path(list) do |path|
      missing = []
      until File.directory?(path)
        missing.unshift(path)
        break if File.dirname(path) == path
        path = File.dirname(path)
      end
      missing.each { |directory| Dir.mkdir(directory, mode) unless File.directory?(directory) }
    end
  end

  def rmdir(list, **_options) = each_path(list) { |path| Dir.rmdir(path) }

  def touch(list, **_options)
    each_path(list) { |path| File.exist?(path) ? File.utime(Time.now, Time.now, path) : File.write(path, '') }
  end

  def rm(list, force: false, **_options)
    each_path(list) do |path|
      File.unlink(path)
    rescue SystemCallError
      raise unless force
    end
  end

  def rm_f(list, **_options) = rm(list, force: true)

  def rm_r(list, force: false, **_options)
    each_path(list) do |path|
      if File.directory?(path) && !File.symlink?(path)
        Dir.children(path).each { |name| rm_r(File.join(path, name), force: force) }
        Dir.rmdir(path)
      else
        File.unlink(path)
      end
    rescue SystemCallError
      raise unless force
    end
  end

  def rm_rf(list, **_options) = rm_r(list, force: true)

  def cp(from, to, preserve: false, **_options)
    each_path(from) do |path|
      target = File.directory?(to) ? File.join(to, File.basename(path)) : to
      File.binwrite(target, File.binread(path))
      File.chmod(File.stat(path).mode & 0o7777, target) if preserve
    end
  end

  def cp_r(from, to, **options)
    each_path(from) do |path|
      target = File.directory?(to) ? File.join(to, File.basename(path)) : to
      if File.directory?(path)
        mkdir_p(target)
        Dir.children(path).each { |name| cp_r(File.join(path, name), File.join(target, name), **options) }
      else
        cp(path, target, **options)
      end
    end
  end

  def mv(from, to, **_options)
    each_path(from) { |path| File.rename(path, File.directory?(to) ? File.join(to, File.basename(path)) : to) }
    0
  end

  def ln_s(target, link, force: false, **_options)
    each_path(target) do |path|
      place = File.directory?(link) ? File.join(link, File.basename(path)) : link
      File.unlink(place) if force && (File.exist?(place) || File.symlink?(place))
      File.symlink(path, place)
    end
    0
  end

  def ln_sf(target, link, **options) = ln_s(target, link, force: true, **options)

  def chmod(mode, list, **_options) = each_path(list) { |path| File.chmod(number_of(mode, path), path) }

  def chmod_R(mode, list, **_options)
    each_path(list) do |path|
      File.chmod(number_of(mode, path), path)
      Dir.children(path).each { |name| chmod_R(mode, File.join(path, name)) } if File.directory?(path) && !File.symlink?(path)
    end
  end

  def chown(user, group, list, **_options)
    require 'etc'
    user = user.is_a?(String) && user !~ /\A\d+\z/ ? Etc.getpwnam(user).uid : user&.to_i
    group = group.is_a?(String) && group !~ /\A\d+\z/ ? Etc.getgrnam(group).gid : group&.to_i
    each_path(list) { |path| File.chown(user, group, path) }
  end

  def chown_R(user, group, list, **options)
    each_path(list) do |path|
      chown(user, group, path, **options)
      Dir.children(path).each { |name| chown_R(user, group, File.join(path, name)) } if File.directory?(path) && !File.symlink?(path)
    end
  end

  def install(from, to, mode: nil, owner: nil, group: nil, **_options)
    cp(from, to)
    target = File.directory?(to) ? File.join(to, File.basename(from)) : to
    chmod(mode, target) if mode
    chown(owner, group, target) if owner || group
  end

  def compare_file(first, second) = File.binread(first) == File.binread(second)
  def uptodate?(file, others) = File.exist?(file) && others.all? { |other| !File.exist?(other) || File.mtime(file) > File.mtime(other) }
  def remove_entry_secure(path, force = false) = rm_r(path, force: force)

  # `u=rwx,go+r` as a number.
  def number_of(mode, path)
    return mode unless mode.is_a?(String)
    return mode.to_i(8) if mode =~ /\A\d+\z/
    mode.split(',').inject(File.stat(path).mode & 0o7777) do |number, clause|
      who, operator, what = clause.match(/\A([ugoa]*)([-+=])([rwx]*)\z/).captures
      who = 'ugo' if who.empty? || who.include?('a')
      bits = what.chars.sum { |letter| { 'r' => 4, 'w' => 2, 'x' => 1 }[letter] }
      who.each_char.inject(number) do |made, letter|
        shift = { 'u' => 6, 'g' => 3, 'o' => 0 }[letter]
        case operator
        when '+' then made | bits << shift
        when '-' then made & ~(bits << shift)
        else made & ~(7 << shift) | bits << shift
        end
      end
    end
  end

  class << self
    alias copy cp
    alias move mv
    alias remove rm
    alias makedirs mkdir_p
    alias mkpath mkdir_p
    alias rmtree rm_rf
    alias symlink ln_s
    alias identical? compare_file
    alias cmp compare_file
    alias remove_entry remove_entry_secure
    alias remove_dir remove_entry_secure
    alias copy_file cp
    alias chdir cd
    alias getwd pwd
    alias safe_unlink rm_f
  end
end
