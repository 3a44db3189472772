"""What is compiled: trees extracted from bare repositories, fact sets, cases. See run.py."""
import copy, functools, json, os, re, shutil, subprocess, sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
DEBIAN = Path('/usr/share/puppet/modules')
SERVER_FACTS = {'serverversion': '8.28.1', 'servername': 'puppet.example.com', 'serverip': '192.0.2.10'}
FACT_SETS = {'debian': '4.10/debian-12-x86_64', 'ubuntu': '4.10/ubuntu-24.04-x86_64', 'redhat': '4.10/redhat-9-x86_64', 'freebsd': '4.10/freebsd-14-x86_64'}
MODULE_SETS = ('modules', 'debian')


@functools.cache
def repositories():
    return json.loads((HERE / 'repositories.json').read_text())


def environment(work, name):
    return work / 'environments' / name / 'production'


# Extracting

def git(repository, *arguments, **options):
    base = Path(os.environ.get('MIRROR', 'mirror')) / repository.replace('/', '+') / 'repo'
    return subprocess.run(['git', '--git-dir', base / '.git' if (base / '.git').is_dir() else base, *arguments], capture_output=True, text=True, **options)


def extract(repository, to):
    """OWNER/NAME@REVISION, a tag with or without v or a commit; without revision the newest released tag, or what is newest."""
    repository, _, revision = repository.partition('@')
    if not revision:
        tags = [tag for tag in git(repository, 'tag').stdout.split() if re.fullmatch(r'(v|release-)?\d{1,2}\.\d+\.\d+', tag)]
        revision = max(tags, key=lambda tag: [int(part) for part in re.findall(r'\d+', tag)], default='HEAD')
    known = [r for r in (revision, f'v{revision}', f'release-{revision}') if git(repository, 'rev-parse', '-q', '--verify', r + '^{commit}').returncode == 0]
    if not known:
        sys.exit(f'{repository} has no {revision}')
    to.mkdir(parents=True)
    index = dict(os.environ, GIT_INDEX_FILE=str(to / '.index'))
    git(repository, 'read-tree', known[0], env=index, check=True)
    # Large files may be absent in a copy: they are left out.
    git(repository, '--work-tree', to, 'checkout-index', '-a', '-f', '-q', env=index)
    (to / '.index').unlink()
    return known[0]


def setup(work, name):
    shared(work)
    to = environment(work, name)
    shutil.rmtree(to.parent, ignore_errors=True)
    if name == 'debian':
        shutil.copytree(DEBIAN, to / 'modules', symlinks=True)
    elif name == 'modules':
        for repository in (HERE / 'modules.txt').read_text().split():
            module = to / 'modules' / re.split(r'[-/]', repository)[-1]
            print(module.name, extract(repository, module))
            without_tests(module)
    else:
        set_up_repository(work, name, to)


def shared(work):
    """The modules that come with an agent, and the fact sets."""
    core = work / 'core'
    if not core.is_dir():
        for module in DEBIAN.glob('*_core'):
            shutil.copytree(module, core / module.name)
        shutil.copytree(DEBIAN / 'mailalias', core / 'mailalias_core')
        for module in ('yumrepo_core', 'zfs_core'):
            extract(f'puppetlabs/puppetlabs-{module}', core / module)
    if not (work / 'facterdb').is_dir():
        extract('voxpupuli/facterdb@HEAD', work / 'facterdb')


def set_up_repository(work, name, to):
    config = repositories()[name]
    extract(f"{config['repo']}@{config['commit']}", to)
    for module, source in config.get('modules', {}).items():
        path = to / config['modules_dir'] / module
        shutil.rmtree(path, ignore_errors=True)
        if source == 'debian':
            shutil.copytree(DEBIAN / module, path)
        else:
            extract(source if '@' in source else source + '@HEAD', path)
        without_tests(path)
    for path in config.get('remove', []):
        (to / path).unlink()
    for target, path in config.get('link', []):
        (to / path).symlink_to(target)
    shutil.copytree(HERE / 'support' / config.get('cases', name), to, dirs_exist_ok=True)
    for pattern, old, new in config.get('replace', []):
        for path in to.glob(pattern):
            text = path.read_bytes()
            path.write_bytes(text.replace(old.encode(), place(new, work, to).encode()))
    for script in config.get('scripts', []):
        subprocess.run([sys.executable, HERE / 'support' / script, to], check=True)


def without_tests(module):
    for path in ('spec', '.git', '.github'):
        shutil.rmtree(module / path, ignore_errors=True)


def place(text, work, root):
    return text.replace('{work}', str(work)).replace('{here}', str(HERE)).replace('{environment}', str(root))


# Cases

def cases(work, name):
    return module_cases(work, name) if name in MODULE_SETS else repository_cases(work, name)


def module_cases(work, name):
    """Every class of every module, with defaults, on each fact set."""
    root = environment(work, name)
    facts = {key: write(work / 'facts' / name / f'{key}.json', json.dumps(module_facts(work, name, path))) for key, path in FACT_SETS.items()}
    found = []
    for module in sorted((root / 'modules').iterdir()):
        names = sorted({match for path in module.glob('manifests/**/*.pp') for match in
                        re.findall(r'^\s*class\s+(?:::)?([a-z][\w:]*)', path.read_text(errors='replace'), re.M)})
        node = lambda class_name, key: f"{class_name.replace('::', '-')}.{key}.test"
        code = ''.join(f"node {', '.join(repr(node(c, key)) for key in facts)} {{ include {c} }}\n" for c in names)
        manifest = write(work / 'code' / name / f'{module.name}.pp', code)
        found += [{'name': node(c, key), 'certname': node(c, key), 'group': f'{module.name} {key}', 'manifest': manifest, 'facts': path,
                   'modulepath': [str(root / 'modules'), str(work / 'core')], 'environment': str(root), 'server_facts': SERVER_FACTS}
                  for key, path in facts.items() for c in names]
    return found


def module_facts(work, name, path):
    facts = json.loads((work / 'facterdb' / 'facts' / f'{path}.facts').read_text())
    if name == 'debian':
        # Its modules are of the time when agents sent these.
        facts = {**with_legacy_facts(facts), 'os_service_default': '<SERVICE DEFAULT>', 'os_workers': 2, 'os_workers_small': 2, 'os_workers_large': 4}
    return {**facts, 'service_provider': 'systemd', 'root_home': '/root', 'puppetversion': '8.28.1', 'clientcert': 'node.test', 'clientversion': '8.28.1', 'clientnoop': False}


def repository_cases(work, name):
    config, root = repositories()[name], environment(work, name)
    found = []
    for line in (HERE / 'cases' / f"{config.get('cases', name)}.jsonl").read_text().splitlines():
        case = json.loads(line)
        manifest = place(config['manifest'], work, root)
        if 'code' in case:
            manifest = write(work / 'code' / name / f"{case['name']}.pp", case['code'])
        found.append({'name': case['name'], 'certname': case['certname'], 'manifest': manifest,
                      'facts': write(work / 'facts' / name / f"{case['name']}.json", json.dumps(node_facts(work, case, config))),
                      'modulepath': [place(path, work, root) for path in config['modulepath']],
                      'environment': str(root), 'server_facts': SERVER_FACTS})
    return found


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text() != text:
        path.write_text(text)
    return str(path)


# Facts of nodes

def node_facts(work, case, config):
    facts = with_legacy_facts(copy.deepcopy(base_facts(work, case['facts'])))
    host, _, domain = case['certname'].partition('.')
    merge(facts, {'networking': {'fqdn': case['certname'], 'hostname': host, 'domain': domain}})
    facts.update({'fqdn': case['certname'], 'hostname': host, 'domain': domain, 'clientcert': case['certname']})
    merge(facts, copy.deepcopy(config.get('facts', {})))
    return merge(facts, copy.deepcopy(case.get('extra', {})))


@functools.cache
def base_facts(work, name):
    if name.startswith('facterdb:'):
        return json.loads((work / 'facterdb' / 'facts' / f"{name.removeprefix('facterdb:')}.facts").read_text())
    import yaml
    return yaml.safe_load((HERE.parent / 'real_modules' / 'facts' / f'{name}.yaml').read_text())


def merge(into, other):
    for key, value in other.items():
        if isinstance(value, dict) and isinstance(into.get(key), dict):
            merge(into[key], value)
        else:
            into[key] = value
    return into


LEGACY = {'operatingsystem': 'os.name', 'osfamily': 'os.family', 'operatingsystemrelease': 'os.release.full', 'operatingsystemmajrelease': 'os.release.major',
          'architecture': 'os.architecture', 'hardwaremodel': 'os.hardware', 'lsbdistid': 'os.distro.id', 'lsbdistcodename': 'os.distro.codename',
          'lsbdistrelease': 'os.distro.release.full', 'lsbmajdistrelease': 'os.distro.release.major', 'lsbdistdescription': 'os.distro.description',
          'ipaddress': 'networking.ip', 'ipaddress6': 'networking.ip6', 'netmask': 'networking.netmask', 'macaddress': 'networking.mac',
          'network': 'networking.network', 'processorcount': 'processors.count', 'physicalprocessorcount': 'processors.physicalcount',
          'memorysize': 'memory.system.total', 'selinux': 'os.selinux.enabled', 'rubyversion': 'ruby.version'}
FIXED = {'uptime': '1 day', 'selinux': False, 'rubyversion': '3.1.2', 'puppetversion': '7.23.0', 'facterversion': '4.3.0', 'timezone': 'UTC', 'id': 'root',
         'gid': 'root', 'path': '/usr/sbin:/usr/bin:/sbin:/bin', 'kernel': 'Linux', 'is_virtual': True, 'virtual': 'kvm', 'productname': 'KVM',
         'manufacturer': 'QEMU', 'aio_agent_version': '7.23.0', 'clientversion': '7.23.0', 'clientnoop': False}
# What facts of modules say.
UNIX = {'service_provider': 'systemd', 'systemd': True, 'systemd_version': '252', 'root_home': '/root', 'puppet_vardir': '/opt/puppetlabs/puppet/cache',
        'puppet_environmentpath': '/etc/puppetlabs/code/environments', 'puppet_server': 'puppet.example.com', 'staging_http_get': 'curl',
        'concat_basedir': '/opt/puppetlabs/puppet/cache/concat', 'iptables_version': '1.8.9', 'iptables_persistent_version': '1.0.20',
        'ip6tables_version': '1.8.9', 'python3_version': '3.11.2', 'apt_update_last_success': 1700000000, 'apt_has_updates': False, 'apt_package_updates': [],
        'extlib__puppet_config': {'hostprivkey': '/etc/puppetlabs/puppet/ssl/private_keys/x.pem', 'localcacert': '/etc/puppetlabs/puppet/ssl/certs/ca.pem',
                                  'hostcert': '/etc/puppetlabs/puppet/ssl/certs/x.pem', 'ssldir': '/etc/puppetlabs/puppet/ssl',
                                  'confdir': '/etc/puppetlabs/puppet', 'vardir': '/opt/puppetlabs/puppet/cache'}}


def with_legacy_facts(facts):
    """Legacy facts and those of modules, for fact sets without them."""
    for name, path in LEGACY.items():
        value = functools.reduce(lambda at, key: (at or {}).get(key), path.split('.'), facts)
        if value is not None:
            facts.setdefault(name, value)
    family = facts.get('os', {}).get('family')
    bytes_ = facts.get('memory', {}).get('system', {}).get('total_bytes', 2**31)
    more = {**FIXED, 'memorysize_mb': round(bytes_ / 2**20, 2)}
    interfaces = ','.join(facts.get('networking', {}).get('interfaces', {}))
    if interfaces:
        more['interfaces'] = interfaces
    if family not in ('windows', 'Darwin'):
        more.update(UNIX, package_provider='apt' if family == 'Debian' else 'dnf')
    for name, value in more.items():
        facts.setdefault(name, value)
    return facts
