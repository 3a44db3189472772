# Records the trees that the reference gives the manifests and templates of the installed modules, as the first half of
# the SHA-256 digest of each PN text, and the versions of the packages:
#
#   ruby tests/record/trees.rb
require 'digest'
require 'json'
require 'open3'

MODULES = '/usr/share/puppet/modules'
FOLDER = File.expand_path('../real_modules', __dir__)
PARSER = File.expand_path('../tools/reference_pn.rb', __dir__)

# A module may be a link; what is linked inside of one is left out, for fixtures link back to their own module.
paths = Dir.glob("#{MODULES}/*/**/*.{pp,epp}").select { |path| File.file?(path) }.sort
output, status = Open3.capture2('ruby', PARSER, stdin_data: paths.join("\n"))
abort 'the reference failed' unless status.success?
records = output.each_line.map { |line| JSON.parse(line) }
lines = records.map { |record| "#{Digest::SHA256.hexdigest(record.fetch('pn'))[0, 16]} #{record['path'].delete_prefix("#{MODULES}/")}\n" }
File.write("#{FOLDER}/trees.txt", lines.join)

packages, = Open3.capture2('dpkg-query', '-W', '-f', '${Package} ${Version}\n', 'puppet-module-*')
File.write("#{FOLDER}/packages.txt", packages.lines.sort.join)
