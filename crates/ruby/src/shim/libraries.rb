# frozen_string_literal: true

# Puppet has these parts of Ruby's own library loaded; here they are loaded when code first names them.
{
  'base64' => %i[Base64], 'benchmark' => %i[Benchmark], 'bigdecimal' => %i[BigDecimal], 'cgi' => %i[CGI],
  'date' => %i[Date DateTime], 'delegate' => %i[Delegator SimpleDelegator], 'digest' => %i[Digest], 'etc' => %i[Etc],
  'fileutils' => %i[FileUtils], 'find' => %i[Find], 'forwardable' => %i[Forwardable], 'ipaddr' => %i[IPAddr],
  'logger' => %i[Logger], 'monitor' => %i[Monitor MonitorMixin], 'net/http' => %i[Net], 'open3' => %i[Open3],
  'openssl' => %i[OpenSSL], 'optparse' => %i[OptionParser], 'ostruct' => %i[OpenStruct], 'pathname' => %i[Pathname],
  'pp' => %i[PP], 'resolv' => %i[Resolv], 'rubygems' => %i[Gem], 'securerandom' => %i[SecureRandom],
  'set' => %i[Set SortedSet], 'shellwords' => %i[Shellwords], 'singleton' => %i[Singleton],
  'socket' => %i[Socket TCPSocket UDPSocket], 'stringio' => %i[StringIO], 'strscan' => %i[StringScanner],
  'tempfile' => %i[Tempfile], 'timeout' => %i[Timeout], 'tsort' => %i[TSort], 'uri' => %i[URI],
  'yaml' => %i[YAML Psych], 'zlib' => %i[Zlib]
}.each { |library, names| names.each { |name| Object.autoload(name, library) unless Object.const_defined?(name) } }

# So are the methods that they give to other classes.
{
  'date' => { Time => %i[to_date to_datetime] },
  'set' => { Enumerable => %i[to_set] },
  'shellwords' => { String => %i[shellescape shellsplit], Array => %i[shelljoin] },
  'time' => {
    Time => %i[httpdate iso8601 rfc2822 xmlschema],
    Time.singleton_class => %i[httpdate iso8601 parse rfc2822 strptime xmlschema]
  },
  'tmpdir' => { Dir.singleton_class => %i[mktmpdir tmpdir] },
  'uri' => { Kernel => %i[URI] },
  'yaml' => { Object => %i[to_yaml] }
}.each do |library, classes|
  classes.each do |receiver, names|
    names.reject { |name| receiver.method_defined?(name) || receiver.private_method_defined?(name) }.each do |name|
      receiver.define_method(name) do |*arguments, **options, &block|
        receiver.remove_method(name)
        require library
        __send__(name, *arguments, **options, &block)
      end
    end
  end
end
