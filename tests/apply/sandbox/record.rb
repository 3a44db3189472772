#!/usr/bin/ruby
# Records what `puppet apply` (and `puppet resource`, `facter`) does to a machine.
# Runs as root inside the sandbox root made by build-root.sh, in its own mount,
# network, host name and process namespaces (see run.sh). Every case gets a fresh
# copy-on-write view of that root; nothing a case does survives it.
#   record.rb IN.jsonl OUT.jsonl [JOBS]
# IN has cases with or without `expect`; OUT has them with `expect` recorded anew:
# by whatever `puppet` is first in PATH.
require 'json'
require 'yaml'
require 'date'
require 'digest'
require 'fileutils'
require 'base64'
require 'shellwords'
require 'etc'

INPUT, OUTPUT, JOBS = ARGV[0], ARGV[1], (ARGV[2] || 2).to_i
WORK = '/.cases'
VARDIR = '/var/cache/puppet'
ENVDIR = '/etc/puppet/code/environments/production'
STEP_SECONDS = 30
CLONE_NEWNS, CLONE_NEWPID, CLONE_NEWUTS, CLONE_NEWNET = 0x20000, 0x20000000, 0x04000000, 0x40000000
HIDDEN = %r{\A/(case|var/cache/puppet|var/log|tmp|proc|dev|run|sys|manifest\.pp|etc/puppet|var/cache/(apt|ldconfig|debconf|man)|var/lib/apt|opt/recorder|root/\.puppet|root/\.cache|etc/\.pwd\.lock|etc/(passwd|shadow|group|gshadow|subuid|subgid)-|var/lib/dpkg|var/lib/puppet|var/cache/cracklib|etc/ld\.so\.cache|var/lib/recorded-systemd)(/|\z)}

def sh!(*argv)
  system(*argv, exception: true)
end

def unshare(flags)
  syscall(272, flags)
end

# ---- the world before ----
def put(root, entry)
  p = File.join(root, entry['path'])
  FileUtils.mkdir_p(File.dirname(p))
  case entry['type'] || (entry.key?('target') ? 'link' : entry.key?('content') || entry.key?('base64') ? 'file' : 'directory')
  when 'directory' then FileUtils.mkdir_p(p)
  when 'link' then File.symlink(entry['target'], p)
  when 'fifo' then File.mkfifo(p)
  else File.binwrite(p, entry['base64'] ? Base64.decode64(entry['base64']) : entry['content'].to_s)
  end
  unless File.symlink?(p)
    File.chmod(Integer(entry['mode'], 8), p) if entry['mode']
    if entry['age'] # seconds before now, for both times
      t = Time.now - entry['age']
      File.utime(t, t, p)
    end
  end
  if entry['owner'] || entry['group']
    ids = ->(file, name, col) { name.to_s =~ /\A\d+\z/ ? name.to_i : File.readlines(File.join(root, file)).map { |l| l.split(':') }.find { |f| f[0] == name }[col].to_i }
    File.lchown(entry['owner'] ? ids['etc/passwd', entry['owner'], 2] : nil, entry['group'] ? ids['etc/group', entry['group'], 2] : nil, p)
  end
end

# ---- looking at the world ----
class Names
  def initialize(root)
    @u = table(root, 'etc/passwd'); @g = table(root, 'etc/group')
  end
  def table(root, f) = File.readlines(File.join(root, f)).to_h { |l| a = l.split(':'); [a[2].to_i, a[0]] }
  def user(id) = @u[id] || id.to_s
  def group(id) = @g[id] || id.to_s
end

def text(bytes)
  s = bytes.dup.force_encoding('UTF-8')
  s.valid_encoding? && !s.include?("\0") ? s : nil
end

def describe(path, names, content: true)
  st = File.lstat(path)
  type = { 'link' => 'link', 'file' => 'file', 'directory' => 'directory', 'fifo' => 'fifo', 'characterSpecial' => 'char' }[st.ftype] || st.ftype
  return nil if type == 'char' && st.rdev == 0 # removed, as the copy-on-write layer says it
  d = { 'type' => type }
  d['mode'] = format('%04o', st.mode & 0o7777) unless type == 'link'
  d['owner'] = names.user(st.uid); d['group'] = names.group(st.gid)
  d['target'] = File.readlink(path) if type == 'link'
  if type == 'file'
    bytes = File.binread(path)
    d['sha256'] = Digest::SHA256.hexdigest(bytes)
    t = text(bytes)
    d['content'] = scrub(t) if content && t && t.bytesize <= 1200
    d.delete('sha256') if d['content'] && d['content'] != t # the time is in it
    d['size'] = bytes.bytesize unless d['content']
  end
  d
end

def walk(root, base, &block)
  full = File.join(root, base)
  return unless File.symlink?(full) || File.exist?(full)
  yield base, full
  if File.directory?(full) && !File.symlink?(full)
    Dir.children(full).sort_by(&:b).each { |c| walk(root, File.join(base, c), &block) }
  end
end

def tree(root)
  names = Names.new(root)
  out = {}
  walk(root, '/case') { |p, full| out[p.dup.force_encoding('UTF-8').scrub { |b| "\\x#{b.unpack1('H*')}" }] = describe(full, names) }
  out
end

# The sandbox's own packages as dpkg knows them.
def packages(root)
  File.read(File.join(root, 'var/lib/dpkg/status')).split("\n\n").filter_map do |para|
    name = para[/^Package: (bk-\S+)/, 1]
    [name, [para[/^Status: (.*)/, 1], para[/^Version: (.*)/, 1]].compact.join(' ')] if name
  end.to_h
end

# Everything that differs from the untouched root, but for the case folder.
def system_state(upper, merged)
  names = Names.new(merged)
  out = {}
  scan = lambda do |rel|
    Dir.children(File.join(upper, rel)).sort_by(&:b).each do |c|
      p = rel.empty? ? "/#{c}" : "#{rel}/#{c}"
      next if p =~ HIDDEN
      full = File.join(upper, p)
      st = File.lstat(full)
      if st.ftype == 'characterSpecial' && st.rdev == 0
        out[p] = [nil, nil]
      elsif st.directory?
        scan.call(p)
        unless File.directory?(p) && !File.symlink?(p) && File.stat(p).then { |b| [b.mode, b.uid, b.gid] == [st.mode, st.uid, st.gid] }
          out[p] = [describe(File.join(merged, p), names), nil]
        end
      else
        out[p] = [describe(full, names, content: false), st.file? ? File.binread(full) : nil]
      end
    end
  end
  scan.call('')
  out
end

def tidy_line(path, line)
  line = line.sub(/\A([^:]*:[^:]*:)(\d{4,})(:)/, '\1DAY\3') if path == '/etc/shadow'
  line = line.sub(/\$(\w+)\$[^:]+/, '$\1$…') if path =~ /shadow/ && line !~ /\$6\$bk\$|\$6\$other\$/
  line
end

def system_changes(before, after)
  out = {}
  (before.keys | after.keys).sort.each do |p|
    # not changed by the case yet: as in the untouched root
    old = before[p] || (File.exist?(p) || File.symlink?(p) ? [describe(p, Names.new('/'), content: false), File.file?(p) && !File.symlink?(p) ? File.binread(p) : nil] : [nil, nil])
    new = after[p] || old
    next if old == new
    e = { 'before' => old[0]&.slice('type', 'mode', 'owner', 'group', 'target'), 'after' => new[0]&.slice('type', 'mode', 'owner', 'group', 'target') }
    e = { 'now' => e['after'] } if e['before'] == e['after']
    o, n = old[1] && text(old[1]), new[1] && text(new[1])
    if new[1] && n.nil?
      e['bytes'] = new[1].bytesize
    elsif o || n
      a, b = (o || '').lines.map { |l| tidy_line(p, l.chomp) }, (n || '').lines.map { |l| tidy_line(p, l.chomp) }
      e['lines'] = line_changes(a, b)
    end
    next if e.keys == ['now'] && (e['lines'].nil? || e['lines'].empty?)
    out[p] = e
  end
  out
end

# Lines that went and came, in order; the unchanged head and tail are cut off first.
def line_changes(a, b)
  head = 0
  head += 1 while head < a.size && head < b.size && a[head] == b[head]
  tail = 0
  tail += 1 while tail < a.size - head && tail < b.size - head && a[-1 - tail] == b[-1 - tail]
  a, b = a[head...a.size - tail], b[head...b.size - tail]
  return ["(#{a.size} lines became #{b.size})"] if a.size * b.size > 40_000
  diff(a, b, lcs(a, b))
end

def lcs(a, b)
  t = Array.new(a.size + 1) { Array.new(b.size + 1, 0) }
  (a.size - 1).downto(0) { |i| (b.size - 1).downto(0) { |j| t[i][j] = a[i] == b[j] ? t[i + 1][j + 1] + 1 : [t[i + 1][j], t[i][j + 1]].max } }
  t
end

def diff(a, b, t)
  i = j = 0; out = []
  while i < a.size || j < b.size
    if i < a.size && j < b.size && a[i] == b[j] then i += 1; j += 1
    elsif j >= b.size || (i < a.size && t[i + 1][j] >= t[i][j + 1]) then out << "-#{a[i]}"; i += 1
    else out << "+#{b[j]}"; j += 1
    end
  end
  out
end

# ---- what Puppet wrote about the run ----
def plain_yaml(file)
  return nil unless File.exist?(file)
  YAML.load(File.read(file).gsub(/!ruby\/(object|sym|hash|array)\S*/, ''), permitted_classes: [Time, Date, Symbol], aliases: true)
end

def stringify(v)
  case v
  when Hash then v.to_h { |k, x| [k.to_s.sub(/\A:/, ''), stringify(x)] }
  when Array then v.map { |x| stringify(x) }
  when Symbol then v.to_s
  when Time, Date, DateTime then 'TIME'
  else v
  end
end

def scrub(s)
  return s unless s.is_a?(String)
  s = s.dup.force_encoding('UTF-8').scrub('?')
  s.gsub(/\b(in|after) \d+\.\d+ seconds/, '\1 N seconds')
   .gsub(/\b(application|seconds): \d+\.\d+/, '\1: N')
   .gsub(/20\d{6}-\d+-[a-z0-9]+/, 'TMP')
   .gsub(%r{(/tmp/\w[\w.-]*?)\d{8}-\d+-\w+}, '\1TMP')
   .gsub(/version '\d{10}'/, "version 'TIME'")
   .gsub(/\b\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(\.\d+)?( ?[+-]\d\d:?\d\d| UTC)?/, 'TIME')
   .gsub(/(installed on) \w{3} \w{3} [ \d]\d \d\d:\d\d:\d\d \d{4}/, '\1 TIME')
   .gsub(%r{\t(TIME|\d{4}-\d\d-\d\d) *$}, "\tTIME")
   .gsub(/\$6\$(?!bk\$|other\$)[\w.\/]+\$[\w.\/]+/, '$6$…')
   .gsub(/pid \d+/, 'pid N').gsub(/\(PID \d+\)/, '(PID N)')
end

def scrub_all(v)
  case v
  when String then scrub(v)
  when Hash then v.to_h { |k, x| [k, scrub_all(x)] }
  when Array then v.map { |x| scrub_all(x) }
  else v
  end
end

def reduce_report(file)
  r = stringify(plain_yaml(file)) or return nil
  out = { 'status' => r['status'], 'report_format' => r['report_format'] }
  %w[noop noop_pending corrective_change transaction_completed cached_catalog_status].each { |k| out[k] = r[k] if r.key?(k) }
  metrics = {}
  (r['metrics'] || {}).each do |name, m|
    values = (m['values'] || []).to_h { |v| [v[0], v[2]] }
    metrics[name] = name == 'time' ? values.keys.sort : values.reject { |_, n| n == 0 }
  end
  out['metrics'] = metrics
  out['logs'] = (r['logs'] || []).map { |l| l.slice('level', 'source', 'message', 'file', 'line').reject { |_, v| v.nil? } }
  out['resources'] = (r['resource_statuses'] || {}).map do |ref, s|
    e = { 'resource' => ref }
    e['containment_path'] = s['containment_path'][0..-2] if s['containment_path']
    e['file'] = s['file'] if s['file']
    e['line'] = s['line'] if s['line']
    e['provider'] = s['provider_used'] if s['provider_used']
    %w[skipped failed failed_to_restart restarted scheduled changed out_of_sync corrective_change].each { |k| e[k] = true if s[k] }
    %w[change_count out_of_sync_count].each { |k| e[k] = s[k] if s[k] && s[k] != 0 }
    e['tags'] = (s['tags'].is_a?(Hash) ? s['tags'].values.first.keys : s['tags']) if ENV['RECORD_TAGS']
    ev = (s['events'] || []).map do |v|
      x = v.slice('property', 'previous_value', 'desired_value', 'historical_value', 'message', 'name', 'status')
      x.delete('historical_value') if x['historical_value'].nil?
      %w[audited redacted corrective_change].each { |k| x[k] = true if v[k] }
      x
    end
    e['events'] = ev unless ev.empty?
    e
  end
  # The built-in schedules and bucket are in every report; named only when something happened to them.
  out['resources'].reject! { |e| e['resource'] =~ /\A(Schedule\[(puppet|hourly|daily|weekly|monthly|never)\]|Filebucket\[puppet\])\z/ && (e.keys - %w[resource containment_path]).empty? }
  out
end

def reduce_state(root, step)
  dir = File.join(root, VARDIR)
  out = {}
  if (s = stringify(plain_yaml("#{dir}/state/state.yaml"))).is_a?(Hash) && !s.empty?
    own = s.reject { |ref, _| ref =~ %r{\A(File\[/(etc|var|run)/(puppet|cache/puppet|log/puppet|lib/puppet)|Stage\[main\]|Class\[Settings\]|Class\[Main\]|Schedule\[(puppet|hourly|daily|weekly|monthly|never)\]|Filebucket\[puppet\])} || ref.start_with?('File[/run/puppet') }
    out['state.yaml'] = own.transform_values { |v| v.is_a?(Hash) ? v.keys : v } unless own.empty?
  end
  %w[classes.txt resources.txt].each do |f|
    p = "#{dir}/state/#{f}"
    out[f] = File.readlines(p, chomp: true) if File.exist?(p)
  end
  if (t = stringify(plain_yaml("#{dir}/state/transactionstore.yaml")))
    out['transactionstore.yaml'] = t
  end
  if step['summary'] && (s = stringify(plain_yaml("#{dir}/public/last_run_summary.yaml")))
    s['time']&.transform_values! { 'N' }
    s['version']&.transform_values! { |v| v.is_a?(Integer) ? 'TIME' : v }
    out['last_run_summary.yaml'] = s
  end
  bucket = "#{dir}/clientbucket"
  if File.directory?(bucket)
    found = Dir.glob("#{bucket}/**/contents").sort.to_h do |c|
      [File.basename(File.dirname(c)), File.exist?(File.join(File.dirname(c), 'paths')) ? File.readlines(File.join(File.dirname(c), 'paths'), chomp: true) : []]
    end
    out['clientbucket'] = found unless found.empty?
  end
  locks = Dir.glob("#{dir}/state/*.lock").map { |f| File.basename(f) }
  out['locks'] = locks unless locks.empty?
  out
end

# ---- one step ----
# setup.proc and setup.sys put made-up files in the place of the kernel's;
# setup.net is a list of `ip` commands for the sandbox's own network.
def stage_kernel(root, setup)
  if setup['sys']
    system('mount', '-t', 'tmpfs', 'tmpfs', "#{root}/sys")
    FileUtils.mkdir_p(["#{root}/sys/block", "#{root}/sys/class/net"])
    setup['sys'].each { |p, t| put(root, { 'path' => File.join('/sys', p) }.merge(t.is_a?(Hash) ? t : { 'content' => t })) }
  else
    system('mount', '-t', 'sysfs', 'sysfs', "#{root}/sys")
  end
  (setup['proc'] || {}).each do |p, t|
    file = "#{root}/tmp/.proc.#{p.tr('/', '_')}"
    File.write(file, t)
    system('mount', '--bind', file, File.join(root, 'proc', p))
  end
  (setup['net'] || []).each { |line| system("ip #{line}") or warn("ip #{line} failed") }
end

def in_sandbox(root, systemd:, out:, err:, setup: {})
  pid = fork do
    unshare(CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWUTS | CLONE_NEWNET)
    init = fork do
      File.write('/proc/sys/kernel/hostname', 'sandbox') rescue nil
      system('ip link set lo up')
      system('mount', '-t', 'proc', 'proc', "#{root}/proc")
      stage_kernel(root, setup)
      system('mount', '--bind', '/dev', "#{root}/dev")
      Dir.chroot(root); Dir.chdir('/')
      File.write('/proc/self/comm', systemd ? 'systemd' : 'init')
      %w[TERM INT HUP].each { |s| trap(s, 'DEFAULT') }
      main = fork do
        File.write('/proc/self/comm', 'puppet')
        $stdin.reopen('/dev/null')
        $stdout.reopen(out, 'a'); $stderr.reopen(err, 'a')
        $stdout.sync = $stderr.sync = true
        ENV.replace('PATH' => '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', 'HOME' => '/root', 'LANG' => 'C.UTF-8', 'LC_ALL' => 'C.UTF-8', 'TERM' => 'dumb', 'USER' => 'root', 'LOGNAME' => 'root')
        yield
      end
      code = nil
      until code
        p, st = Process.wait2(-1)
        code = st.exitstatus || 128 + st.termsig.to_i if p == main
      end
      exit!(code)
    end
    _, st = Process.wait2(init)
    exit!(st.exitstatus || 128 + st.termsig.to_i)
  end
  deadline = Time.now + STEP_SECONDS
  loop do
    p, st = Process.wait2(pid, Process::WNOHANG)
    return st.exitstatus if p
    if Time.now > deadline
      Process.kill('KILL', pid)
      Process.wait(pid)
      return 'timeout'
    end
    sleep 0.02
  end
end

def run_shell(root, script, systemd: false)
  log = "#{root}/tmp/.setup"
  code = in_sandbox(root, systemd: systemd, out: '/tmp/.setup', err: '/tmp/.setup') { exec('/bin/sh', '-e', '-c', script) }
  text = File.exist?(log) ? File.read(log) : ''
  FileUtils.rm_f(log)
  raise "setup failed (#{code}): #{script}\n#{text}" unless code == 0
end

def run_step(root, step, kase)
  File.write("#{root}/manifest.pp", step['manifest']) if step['manifest']
  (step['files'] || []).each { |f| put(root, f) }
  run_shell(root, step['before']) if step['before']
  tmp = "#{root}/tmp/.rec"; FileUtils.rm_rf(tmp); FileUtils.mkdir_p(tmp, mode: 0o777); File.chmod(0o777, tmp)
  %w[last_run_report.yaml].each { |f| FileUtils.rm_f("#{root}#{VARDIR}/state/#{f}") }
  FileUtils.rm_f("#{root}#{VARDIR}/public/last_run_summary.yaml")
  FileUtils.rm_f("#{root}/var/log/systemctl.calls")
  argv = step['argv'] || (['apply', '--detailed-exitcodes'] + (step['args'] || []) + (step['manifest'] ? ['/manifest.pp'] : []))
  argv = [argv[0], '--color=false'] + argv[1..] if %w[apply resource agent].include?(argv[0])
  systemd = !!kase['setup']&.key?('systemd')
  exit_code = in_sandbox(root, systemd: systemd, out: '/tmp/.rec/out', err: '/tmp/.rec/err', setup: kase['setup'] || {}) do
    (step['env'] || {}).each { |k, v| ENV[k] = v }
    $stdin.reopen(File.join('/', step['stdin_file'])) if step['stdin_file']
    if step['as']
      pw = Etc.getpwnam(step['as'])
      Process.initgroups(step['as'], pw.gid); Process::Sys.setgid(pw.gid); Process::Sys.setuid(pw.uid)
      ENV['HOME'] = pw.dir; ENV['USER'] = ENV['LOGNAME'] = step['as']
    end
    argv[0] == 'facter' ? exec(*argv) : exec('puppet', *argv)
  end
  e = { 'exit' => exit_code }
  out = File.exist?("#{tmp}/out") ? scrub(File.read("#{tmp}/out")) : ''
  err = File.exist?("#{tmp}/err") ? scrub(File.read("#{tmp}/err")) : ''
  e['stdout'] = out unless out.empty?
  e['stderr'] = err unless err.empty?
  FileUtils.rm_rf(tmp)
  rep = scrub_all(reduce_report("#{root}#{VARDIR}/state/last_run_report.yaml"))
  e['report'] = rep if rep
  st = scrub_all(reduce_state(root, step))
  e['state'] = st unless st.empty?
  e
end

def run_case(kase, n)
  dir = "#{WORK}/#{n}"
  FileUtils.mkdir_p(%w[u w m].map { |d| "#{dir}/#{d}" })
  File.chmod(0o755, "#{dir}/u")
  m = "#{dir}/m"
  sh!('mount', '-t', 'overlay', 'overlay', '-o', "lowerdir=/,upperdir=#{dir}/u,workdir=#{dir}/w", m)
  setup = kase['setup'] || {}
  FileUtils.mkdir_p("#{m}/case")
  # The facts of the machine alone, as when the cases were recorded.
  FileUtils.rm_rf(Dir.glob("#{m}/usr/share/puppet/modules/*/lib/facter"))
  if setup['systemd']
    FileUtils.cp('/opt/recorder/systemctl.rb', "#{m}/usr/bin/systemctl"); File.chmod(0o755, "#{m}/usr/bin/systemctl")
    FileUtils.mkdir_p("#{m}/var/lib/recorded-systemd")
    setup['systemd'].each { |u, d| File.write("#{m}/var/lib/recorded-systemd/#{u}", JSON.generate(d)) }
  end
  run_shell(m, setup['run']) if setup['run']
  (setup['files'] || []).each { |f| put(m, f) }
  (setup['environment'] || {}).each { |p, t| put(m, 'path' => File.join(ENVDIR, p), 'content' => t) }
  run_shell(m, setup['then']) if setup['then']
  state = system_state("#{dir}/u", m)
  (kase['steps'] || []).each do |step|
    e = run_step(m, step, kase)
    e['tree'] = tree(m) unless step['argv'] && step['argv'][0] == 'facter'
    now = system_state("#{dir}/u", m)
    bk = packages(m)
    e['packages'] = bk unless bk.empty?
    ch = scrub_all(system_changes(state, now))
    e['system'] = ch unless ch.empty?
    state = now
    step['expect'] = e
  end
  kase
ensure
  system('umount', '-l', m, err: File::NULL)
  FileUtils.rm_rf(dir)
end

cases = File.readlines(INPUT).map { |l| JSON.parse(l) }
FileUtils.mkdir_p(WORK)
results = Array.new(cases.size)
running = {}
flush = lambda do
  pid, = Process.wait2(-1)
  i, r = running.delete(pid)
  next unless r
  data = r.read; r.close
  begin
    results[i] = JSON.parse(data)
  rescue JSON::ParserError
    results[i] = cases[i].merge('recording_failed' => data.byteslice(0, 2000))
  end
  done = results.compact.size
  warn "#{done}/#{cases.size} #{cases[i]['id']}#{' FAILED: ' + results[i]['recording_failed'].to_s if results[i]['recording_failed']}" if done % 20 == 0 || results[i]['recording_failed']
end
cases.each_with_index do |k, i|
  flush.call while running.size >= JOBS
  # the answer goes through a file: pipes fill up
  file = "#{WORK}/result.#{i}"
  pid = fork do
    begin
      File.write(file, JSON.generate(run_case(k, i)))
    rescue Exception => ex # rubocop:disable Lint/RescueException
      File.write(file, "#{ex.class}: #{ex.message}\n#{ex.backtrace.first(6).join("\n")}")
    end
    exit!(0)
  end
  reader = Struct.new(:f) { def read = (File.exist?(f) ? File.read(f) : 'no result'); def close = FileUtils.rm_f(f) }.new(file)
  running[pid] = [i, reader]
end
flush.call until running.empty?
File.open(OUTPUT, 'w') { |f| results.each { |r| f.puts(JSON.generate(r)) } }
warn "#{results.count { |r| r['recording_failed'] }} failed of #{results.size}"
