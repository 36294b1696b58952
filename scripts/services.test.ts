/**
 * Tests `scripts/services` on fake machines: PATH contains one folder, and each test puts the available
 * programs into it.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';

const SCRIPT = join(import.meta.dirname, 'services');
const TOOLS = ['bash', 'cat', 'chmod', 'dirname', 'env', 'id', 'mkdir', 'mv', 'rm', 'sed', 'tail', 'timeout'];
const BROWSER = 'echo "Chromium 1.2.3"';
/** The fake program that Ubuntu installs as chromium-browser. It only prints a note and fails. */
const SNAP_NOTE = 'echo "this command needs the chromium snap" >&2; exit 1';

let machine: string;

beforeEach(() => {
  machine = mkdtempSync(join(tmpdir(), 'gyre-services-'));
  for (const tool of TOOLS) symlinkSync(locate(tool), join(machine, tool));
  put('id', 'echo 0');
});

afterEach(() => rmSync(machine, { recursive: true }));

function locate(tool: string): string {
  return execFileSync('bash', ['-c', 'type -P "$0"', tool], { encoding: 'utf8' }).trim();
}

function put(name: string, body: string): string {
  const file = join(machine, name);
  rmSync(file, { force: true });
  writeFileSync(file, `#!/bin/bash\n${body}\n`, { mode: 0o755 });
  return file;
}

/** Adds a fake apt-get that logs its arguments and installs the program `installed`. */
function putAptGet(installed: string, body: string): void {
  const put = `printf '#!/bin/bash\\n%s\\n' '${body}' > ${machine}/${installed}; chmod +x ${machine}/${installed}`;
  const log = `echo "$DEBIAN_FRONTEND $*" >> ${machine}/apt.log`;
  writeFileSync(
    join(machine, 'apt-get'),
    `#!/bin/bash\n${log}\nif [[ "$*" == *install* ]]; then ${put}; fi\n`,
    {
      mode: 0o755,
    },
  );
}

/**
 * Adds a fake apt-get that runs the shell command `condition` before it downloads a package, and a fake
 * dpkg-deb that unpacks packages.
 */
function putPackages(condition: string) {
  const calls = join(machine, 'apt.log');
  put(
    'apt-get',
    `echo "$*" >> ${calls}
case "$*" in
*update) : > ${join(machine, 'updated')} ;;
*) ${condition || ':'}; echo "\${*: -1}" > "\${*: -1}_1.0_all.deb" ;;
esac`,
  );
  put('dpkg-deb', 'cat "$2" > "$3/page"');
  const log = () => readFileSync(calls, 'utf8').trim().split('\n');
  return { pages: join(machine, 'pages'), log };
}

function run(args: string[], environment: Record<string, string> = {}) {
  const env = { PATH: machine, ...environment };
  const { status, stdout, stderr } = spawnSync(SCRIPT, args, { env, encoding: 'utf8' });
  return { status, stdout, stderr };
}

test('nothing is printed or installed if Chromium is there', () => {
  const file = put('chromium', BROWSER);
  put('apt-get', `: > ${machine}/called`);
  assert.deepEqual(run(['ensure', 'chromium']), { status: 0, stdout: '', stderr: '' });
  assert.deepEqual(run(['path', 'chromium']), { status: 0, stdout: `${file}\n`, stderr: '' });
  assert.equal(existsSync(join(machine, 'called')), false);
});

test('Google Chrome is accepted, and a snap stub is not', () => {
  put('chromium-browser', SNAP_NOTE);
  const file = put('google-chrome', 'echo "Google Chrome 1.2.3"');
  assert.equal(run(['path', 'chromium']).stdout, `${file}\n`);
});

test('a missing Chromium is installed without questions, after one update of the lists', () => {
  putAptGet('chromium', BROWSER);
  const { status, stdout, stderr } = run(['ensure', 'chromium']);
  assert.equal(status, 0, stderr);
  assert.equal(stdout, '');
  assert.match(stderr, /^services: installing chromium fonts-dejavu-core with apt-get\n$/);
  const calls = readFileSync(join(machine, 'apt.log'), 'utf8').trim().split('\n');
  assert.match(calls[0]!, /^noninteractive .* update$/);
  assert.match(calls[1]!, /^noninteractive .* install --no-install-recommends chromium fonts-dejavu-core$/);
  assert.equal(calls.length, 2);
  assert.deepEqual(run(['ensure', 'chromium']), { status: 0, stdout: '', stderr: '' });
});

test('a user who is not root installs with sudo', () => {
  putAptGet('chromium', BROWSER);
  put('id', 'echo 1000');
  put('sudo', `: > ${machine}/sudo-used; "$@"`);
  assert.equal(run(['ensure', 'chromium']).status, 0);
  assert.ok(existsSync(join(machine, 'sudo-used')));
});

test('if the package is only a snap, playwright-core downloads its own build', () => {
  putAptGet('chromium', SNAP_NOTE);
  const body = `case "$*" in
*install*) echo "$*" > ${machine}/node.log; printf '#!/bin/bash\\n%s\\n' '${BROWSER}' > ${machine}/built; chmod +x ${machine}/built ;;
*) echo ${machine}/built ;;
esac`;
  put('node', body);
  const { status, stderr } = run(['ensure', 'chromium']);
  assert.equal(status, 0, stderr);
  assert.match(
    readFileSync(join(machine, 'node.log'), 'utf8'),
    /cli\.js install --with-deps --no-shell chromium/,
  );
  assert.equal(run(['path', 'chromium']).stdout, `${join(machine, 'built')}\n`);
});

test('if nothing can be installed, the message says what to do', () => {
  const advice =
    /cannot install Chromium: install Chromium or Google Chrome yourself, or name one with CHROMIUM=/;
  const nothing = run(['ensure', 'chromium']);
  assert.equal(nothing.status, 1);
  assert.match(nothing.stderr, /there is no apt-get here/);
  assert.match(nothing.stderr, advice);
  put('apt-get', 'echo "E: Unable to locate package" >&2; exit 100');
  assert.match(run(['ensure', 'chromium']).stderr, /E: Unable to locate package\n/);
  put('id', 'echo 1000');
  const powerless = run(['ensure', 'chromium']);
  assert.equal(powerless.status, 1);
  assert.match(powerless.stderr, /neither root nor sudo/);
  assert.match(powerless.stderr, advice);
  assert.equal(run(['path', 'chromium']).status, 1);
});

test('CHROMIUM names the browser to use, which must run', () => {
  put('chromium', BROWSER);
  const other = put('other-browser', BROWSER);
  assert.equal(run(['path', 'chromium'], { CHROMIUM: other }).stdout, `${other}\n`);
  assert.equal(run(['ensure', 'chromium'], { CHROMIUM: other }).status, 0);
  const broken = run(['ensure', 'chromium'], { CHROMIUM: join(machine, 'nowhere') });
  assert.equal(broken.status, 1);
  assert.match(broken.stderr, /nowhere is not a browser that runs/);
});

test('packages with pages are downloaded and unpacked once', () => {
  const { pages, log } = putPackages('');
  assert.equal(run(['path', 'real-pages'], { REAL_PAGES: pages }).stdout, `${pages}\n`);
  const { status, stdout, stderr } = run(['ensure', 'real-pages'], { REAL_PAGES: pages });
  assert.equal(status, 0, stderr);
  assert.equal(stdout, '');
  const names = readdirSync(pages).sort();
  assert.equal(names.length, 5);
  for (const name of names) assert.equal(readFileSync(join(pages, name, 'page'), 'utf8'), `${name}\n`);
  assert.deepEqual(
    log().sort(),
    names.map((name) => `-q download ${name}`),
  );
  assert.deepEqual(run(['ensure', 'real-pages'], { REAL_PAGES: pages }), {
    status: 0,
    stdout: '',
    stderr: '',
  });
});

test('a package that is not in the lists is downloaded after an update', () => {
  const { pages, log } = putPackages(`[[ -e ${join(machine, 'updated')} ]] || exit 100`);
  assert.equal(run(['ensure', 'real-pages'], { REAL_PAGES: pages }).status, 0);
  assert.equal(log().filter((call) => call.endsWith('update')).length, 1);
  assert.equal(readdirSync(pages).length, 5);
});

test('a package that cannot be downloaded is named, and no part of it stays', () => {
  const { pages } = putPackages('echo "E: Unable to locate package" >&2; exit 100');
  const { status, stderr } = run(['ensure', 'real-pages'], { REAL_PAGES: pages });
  assert.equal(status, 1);
  assert.match(stderr, /E: Unable to locate package\n/);
  assert.match(stderr, /cannot download the package python-click-doc, whose pages are crawled/);
  assert.deepEqual(readdirSync(pages), []);
});

test('wrong arguments print the usage', () => {
  for (const args of [[], ['fly'], ['ensure'], ['ensure', 'mysql'], ['path'], ['path', 'postgresql']]) {
    const { status, stderr } = run(args);
    assert.equal(status, 2, args.join(' '));
    assert.match(stderr, /usage: scripts\/services/);
  }
  assert.match(run(['--help']).stdout, /^usage: /);
});
