# What facts use of Ruby and its library.
require 'json'
require 'yaml'
Facter.add(:json) { setcode { JSON.parse('{"a": [1, null]}') } }
Facter.add(:yaml) { setcode { YAML.load("a: [1, ~]\nb: yes") } }
Facter.add(:lines) { setcode { File.readlines('/etc/passwd').first.split(':').first } }
Facter.add(:files) { setcode { Dir.glob('/etc/pass*d').map { |it| File.basename(it) } } }
Facter.add(:there) { setcode { [File.exist?('/etc/passwd'), File.directory?('/etc'), File.symlink?('/etc'), File.readable?('/nope')] } }
Facter.add(:missing_file) { setcode { File.read('/no/such/file') } }
Facter.add(:sets) { require 'set'; setcode { Set.new([3, 1, 3]).to_a.sort } }
Facter.add(:addresses) { require 'ipaddr'; setcode { IPAddr.new('10.1.2.3/8').to_s } }
Facter.add(:digest) { require 'digest'; setcode { Digest::SHA256.hexdigest('x')[0, 8] } }
Facter.add(:version_at_least) { setcode { Gem::Version.new(Facter.version) >= Gem::Version.new('4.0') } }
class OwnHelper
  def self.words(text) = text.scan(/\w+/).map(&:upcase)
end
def own_function(number) = number.to_s.rjust(3, '0')
Facter.add(:helpers) { setcode { OwnHelper.words('a bc') + [own_function(7)] } }
Facter.add(:matched) { setcode { 'key = value' =~ /(\w+) = (?<name>\w+)/ ? Regexp.last_match(:name) : nil } }
Facter.add(:formatted) { setcode { format('%05.2f|%-5s|%x', 3.14159, 'ab', 255) } }
