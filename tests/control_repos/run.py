#!/usr/bin/env python3
"""Real control repositories, and every class of real modules, compiled by the reference and by bunraku.

  run.py WORK setup NAME...                       extract into WORK from MIRROR, bare copies named OWNER+NAME/repo
  run.py WORK reference NAME... [--release 7|8]   by the reference that Ruby finds (docs/testing.md)
  run.py WORK bunraku NAME... [--release 7|8]     by the binary BUNRAKU
  run.py WORK compare NAME... [--release 7|8]     a line for each set, and what differs
  run.py WORK cpu NAME... [--release 7|8]         processor time of each node that both compile, without Ruby
  run.py WORK record NAME...                      write recorded/NAME.jsonl, which tests/control_repos.rs reads

NAME is a repository of repositories.json, `modules` (public modules at their newest tags) or `debian` (all packaged modules).
--only REGEXP limits reference and bunraku to some cases. --release says whose defaults of strict settings apply.
"""
import argparse, json, os, re, statistics, subprocess, sys
import inputs
from digest import digest
from pathlib import Path

HERE = Path(__file__).resolve().parent
SETTINGS = {7: {'strict': 'warning', 'strict_variables': 'false'}, 8: {'strict': 'error', 'strict_variables': 'true'}}


def read_lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def write_lines(path, rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(''.join(json.dumps(row) + '\n' for row in rows))


def cases_of(work, name, release, only):
    cases = inputs.cases(work, name)
    return [dict(case, settings=SETTINGS[release]) for case in cases if not only or re.search(only, case['name'])]


def results(work, who, name, release):
    return work / 'results' / f'{who}-{release}' / name


def keep(path, records):
    """Replaces the records of the same names and leaves the others."""
    old = {row['name']: row for row in read_lines(path)} if path.exists() else {}
    write_lines(path, {**old, **{row['name']: row for row in records}}.values())


def reference(work, name, release, only):
    out = results(work, 'reference', name, release)
    out.mkdir(parents=True, exist_ok=True)
    part = out.parent / f'{name}.cases'
    write_lines(part, cases_of(work, name, release, only))
    subprocess.run(['nice', '-n', '10', 'ruby', HERE / 'reference.rb', part, out], check=True, cwd=inputs.environment(work, name))
    keep(out.parent / f'{name}.jsonl', read_lines(out / 'records.jsonl'))


def compile_command(work, name, case):
    server_facts = work / f'server_facts-{name}.json'
    server_facts.write_text(json.dumps(case['server_facts']))
    settings = case['settings']
    return [os.environ['BUNRAKU'], 'catalog', 'compile', case['certname'], '--facts', case['facts'], '--server_facts', server_facts,
            '--environmentpath', os.path.dirname(case['environment']), '--environment', 'production',
            '--modulepath', ':'.join(case['modulepath']), '--manifest', case['manifest'],
            '--confdir', '/nonexistent', '--vardir', '/nonexistent/var', '--codedir', '/nonexistent/code',
            '--strict', settings['strict'], '--strict_variables' if settings['strict_variables'] == 'true' else '--no-strict_variables']


def bunraku(work, name, release, only):
    out = results(work, 'bunraku', name, release)
    out.mkdir(parents=True, exist_ok=True)
    records = []
    variables = {key: value for key, value in os.environ.items() if key not in ('RUBYLIB', 'RUBYOPT')}
    for case in cases_of(work, name, release, only):
        command = compile_command(work, name, case)
        try:
            done = subprocess.run(command, capture_output=True, env=variables, cwd=case['environment'], timeout=300)
            code, errors = done.returncode, done.stderr.decode(errors='replace')
        except subprocess.TimeoutExpired:
            code, errors = 'timeout', ''
        record = {'name': case['name'], 'logs': logs_of(errors)}
        if code == 0:
            (out / f"{case['name']}.json").write_bytes(done.stdout)
        else:
            record['error'] = '\n'.join(text for level, text in record['logs'] if level == 'err') or f'exit {code}: {errors}'
        records.append(record)
    keep(out.parent / f'{name}.jsonl', records)


def cpu(work, name, release, only):
    """Whole processes, the best of three, against the first compilation in a process that has the reference loaded."""
    wanted = {row['name']: row for row in read_lines(results(work, 'reference', name, release).parent / f'{name}.jsonl')}
    ratios = []
    for case in cases_of(work, name, release, only):
        reference = wanted.get(case['name'], {'error': 'was not asked'})
        if 'error' in reference:
            continue
        command = [*compile_command(work, name, case), '--ruby', '/nonexistent']
        best = min(cpu_of(command, case['environment']) for _ in range(3))
        ratios.append(reference['cpu'] / best)
        print(f"{case['name']}: {reference['cpu']:.3f} s, {best:.3f} s, {ratios[-1]:.0f} times")
    print(f'{name}: {len(ratios)} nodes, {min(ratios):.0f} to {max(ratios):.0f} times, median {statistics.median(ratios):.0f}')


def cpu_of(command, directory):
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=directory)
    usage = os.wait4(process.pid, 0)[2]
    return usage.ru_utime + usage.ru_stime


def logs_of(errors):
    """What was printed as [level, message], messages of several lines in one."""
    logs = []
    for line in errors.splitlines():
        found = re.match(r'(Error|Warning|Notice|Info|Debug|Alert|Critical|Emergency): (.*)', line)
        if found:
            logs.append([{'Error': 'err'}.get(found[1], found[1].lower()), found[2]])
        # Notes are what this program adds to the reference's words.
        elif logs and not line.startswith('  note: '):
            logs[-1][1] += '\n' + line
    return logs


def same_error(wanted, found):
    """Equal but for the name of the node. What has no place in the reference (bytes that no catalog can carry) may have one,
    and where the reference names a line of its own code ours names the template's."""
    cut = lambda text: re.sub(r'\s+on node \S+$', '', text.strip())
    own = re.search(r'Filepath: \S+/lib/puppet/parser/scope\.rb\n  Line: \d+', wanted)
    if own:
        wanted = wanted.replace(own[0], 'P')
        found = re.sub(r'Filepath: \S+\n  Line: \d+', 'P', found)
    return cut(wanted) == cut(found) or wanted == 'source sequence is illegal/malformed utf-8' and wanted in found


def compare(work, name, release):
    verdicts = {word: [] for word in ('equal', 'different', 'fails', 'compiles', 'same error', 'other error', 'other warnings')}
    wanted = read_lines(results(work, 'reference', name, release).parent / f'{name}.jsonl')
    found = {row['name']: row for row in read_lines(results(work, 'bunraku', name, release).parent / f'{name}.jsonl')}
    for reference in wanted:
        case = reference['name']
        ours = found.get(case)
        if ours is None:
            continue
        if 'error' in reference and 'error' in ours:
            same = same_error(reference['error'], ours['error'])
            verdicts['same error' if same else 'other error'].append((case, '' if same else f"{reference['error']}\n      {ours['error']}"))
        elif 'error' in reference:
            verdicts['compiles'].append((case, reference['error']))
        elif 'error' in ours:
            verdicts['fails'].append((case, ours['error']))
        else:
            load = lambda who: json.loads((results(work, who, name, release) / f'{case}.json').read_text())
            lines = differences(load('reference'), load('bunraku'))
            verdicts['different' if lines else 'equal'].append((case, '\n      '.join(lines[:8])))
            # Dependency cycles the reference finds only when it applies a catalog.
            warnings = [sorted({text for level, text in row['logs'] if level == 'warning' and not text.startswith('Found a dependency cycle')})
                        for row in (reference, ours)]
            if warnings[0] != warnings[1]:
                verdicts['other warnings'].append((case, ' | '.join(str([t for t in a if t not in b][:2]) for a, b in (warnings, warnings[::-1]))))
    print(f'{name}, release {release}: {len(wanted)} cases; ' + ', '.join(f'{word} {len(rows)}' for word, rows in verdicts.items()))
    for word in ('different', 'fails', 'compiles', 'other error', 'other warnings'):
        for case, text in verdicts[word]:
            print(f'  {word}: {case}\n      {text[:1500]}')


def differences(wanted, found):
    """What differs between two catalogs, as lines."""
    one, two = ({f"{r['type']}[{r['title']}]": r for r in catalog['resources']} for catalog in (wanted, found))
    lines = [f'missing {title}' for title in one if title not in two] + [f'extra {title}' for title in two if title not in one]
    for title in one.keys() & two.keys():
        if json.dumps(one[title]) != json.dumps(two[title]):
            a, b = ({**r, **{f'parameter {key}': value for key, value in r.get('parameters', {}).items()}} for r in (one[title], two[title]))
            keys = [key for key in {**a, **b} if key != 'parameters' and json.dumps(a.get(key)) != json.dumps(b.get(key))]
            lines += [f'{title} {key}: {str(a.get(key))[:300]!r} {str(b.get(key))[:300]!r}' for key in keys] or [f'{title}: order of keys']
    if not lines and list(one) != list(two):
        lines.append('order of resources')
    lines += [key for key in wanted if key not in ('resources', 'version', 'catalog_uuid') and json.dumps(wanted[key]) != json.dumps(found.get(key))]
    return lines


def record(work, name):
    """The results of the reference as digests: the catalogs themselves are too large to keep."""
    rows = []
    for release in SETTINGS:
        for row in read_lines(results(work, 'reference', name, release).parent / f'{name}.jsonl'):
            place = lambda text: text.replace(str(inputs.environment(work, name)), '<environment>').replace(str(work), '<work>')
            kept = {'name': row['name'], 'release': release}
            if 'error' in row:
                kept['error'] = place(row['error'])
            else:
                text = (results(work, 'reference', name, release) / f"{row['name']}.json").read_text()
                kept.update(digest(json.loads(place(text))))
            rows.append(kept)
    write_lines(HERE / 'recorded' / f'{name}.jsonl', rows)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument('work', type=Path)
    parser.add_argument('verb', choices=['setup', 'reference', 'bunraku', 'compare', 'cpu', 'record'])
    parser.add_argument('names', nargs='+')
    parser.add_argument('--release', type=int, choices=SETTINGS, default=8)
    parser.add_argument('--only')
    options = parser.parse_args()
    work = options.work.resolve()
    for name in options.names:
        if options.verb == 'setup':
            inputs.setup(work, name)
            write_lines(work / 'cases' / f'{name}.jsonl', inputs.cases(work, name))
        elif options.verb == 'record':
            record(work, name)
        elif options.verb == 'compare':
            compare(work, name, options.release)
        else:
            globals()[options.verb](work, name, options.release, options.only)


if __name__ == '__main__':
    sys.exit(main())
