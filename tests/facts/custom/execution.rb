# Commands and what comes of them.
exe = Facter::Core::Execution
Facter.add(:output) { setcode { exe.execute("printf ' a\\n b \\n'") } }
Facter.add(:piped) { setcode { exe.execute('echo b a | tr " " "\n" | sort | head -1') } }
Facter.add(:failed_code) { setcode { exe.execute('sh -c "echo out; exit 3"') } }
Facter.add(:errors) { setcode { exe.execute('sh -c "echo no >&2; echo yes"') } }
Facter.add(:language) { setcode { exe.execute('env').lines.grep(/\A(LANG|LC_ALL)=/).map(&:chomp).sort } }
Facter.add(:not_found) { setcode { exe.execute('no-such-program') } }
Facter.add(:on_fail) { setcode { exe.execute('no-such-program', on_fail: 'instead') } }
Facter.add(:on_fail_nil) { setcode { exe.execute('no-such-program', on_fail: nil).inspect } }
Facter.add(:rescued) { setcode { begin; exe.execute('no-such-program'); rescue Facter::Core::Execution::ExecutionFailure => e; e.message; end } }
Facter.add(:execed) { setcode { [exe.exec('echo x'), exe.exec('no-such-program')] } }
Facter.add(:quoted) { setcode { exe.execute('"/bin/echo" \'a b\'') } }
Facter.add(:which) { setcode { [exe.which('sh'), exe.which('/bin/sh'), exe.which('no-such-program'), exe.which('/etc/passwd')] } }
Facter.add(:old_names) { setcode { [Facter::Util::Resolution.exec('echo old'), Facter::Util::Resolution.which('no-such-program')] } }
Facter.add(:backticks) { setcode { `echo tick`.chomp } }
Facter.add(:status) { setcode { `exit 3`; $?.exitstatus } }
Facter.add(:with_env) { setcode { Facter::Util::Resolution.with_env('OWN' => 'set') { exe.execute('printenv OWN') } + ENV['OWN'].to_s } }
Facter.add(:expanded) { setcode { exe.expand_command('sh -c true') } }
Facter.add(:builtin) { setcode { exe.execute('type cd', expand: false) } }
