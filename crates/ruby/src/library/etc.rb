# Users and groups, as the files of the system have them.
module Etc
  Passwd = Struct.new(:name, :passwd, :uid, :gid, :gecos, :dir, :shell)
  Group = Struct.new(:name, :passwd, :gid, :mem)

  class << self
    def users
      File.readlines('/etc/passwd', chomp: true).filter_map do |line|
        name, password, uid, gid, gecos, directory, shell = line.split(':', -1)
        Passwd.new(name, password, uid.to_i, gid.to_i, gecos, directory, shell) if shell
      end
    end

    def groups
      File.readlines('/etc/group', chomp: true).filter_map do |line|
        name, password, gid, members = line.split(':', -1)
        Group.new(name, password, gid.to_i, members.split(',')) if members
      end
    end

    def getpwnam(name) = users.find { |user| user.name == name } || raise(ArgumentError, "can't find user for #{name}")
    def getpwuid(uid = Process.uid) = users.find { |user| user.uid == uid } || raise(ArgumentError, "can't find user for #{uid}")
    def getgrnam(name) = groups.find { |group| group.name == name } || raise(ArgumentError, "can't find group for #{name}")
    def getgrgid(gid = Process.gid) = groups.find { |group| group.gid == gid } || raise(ArgumentError, "can't find group for #{gid}")
    def getlogin = ENV['USER'] || (getpwuid.name rescue nil)
    def passwd(&block) = block ? users.each(&block) && nil : users.first
    def group(&block) = block ? groups.each(&block) && nil : groups.first
    def nprocessors = [File.read('/proc/cpuinfo').scan(/^processor\s*:/).size, 1].max
    def systmpdir = '/tmp'
    def sysconfdir = '/etc'

    def uname
      version = File.read('/proc/version').split
      { sysname: version[0], nodename: Process.__host, release: version[2], version: version[3..].join(' '), machine: 'x86_64' }
    end
  end
end
