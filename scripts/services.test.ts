/**
 * Tests `scripts/services` on fake machines: PATH contains one folder, and each test puts the available
 * programs into it. The last tests start the real servers.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
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

test('a missing PostgreSQL is installed, or the message says what to do', () => {
  for (const tool of ['initdb', 'postgres']) put(tool, ':');
  const present = { POSTGRESQL_BIN: machine };
  assert.deepEqual(run(['ensure', 'postgresql'], present), { status: 0, stdout: '', stderr: '' });
  rmSync(join(machine, 'initdb'));
  const failed = run(['ensure', 'postgresql'], present);
  assert.equal(failed.status, 1);
  assert.match(failed.stderr, /cannot install PostgreSQL: .* TEST_POSTGRES_URL=postgres:/);
  putAptGet('initdb', ':');
  const { status, stderr } = run(['ensure', 'postgresql'], present);
  assert.equal(status, 0, stderr);
  assert.equal(stderr, 'services: installing postgresql with apt-get\n');
});

test('a missing RabbitMQ is installed, or the message says what to do', () => {
  const folder = { RABBITMQ_BIN: machine };
  const failed = run(['ensure', 'rabbitmq'], folder);
  assert.equal(failed.status, 1);
  assert.match(failed.stderr, /cannot install RabbitMQ: .* TEST_RABBITMQ_URL=amqp:/);
  putAptGet('rabbitmq-server', ':');
  const { status, stderr } = run(['ensure', 'rabbitmq'], folder);
  assert.equal(status, 0, stderr);
  assert.equal(stderr, 'services: installing rabbitmq-server with apt-get\n');
  assert.deepEqual(run(['ensure', 'rabbitmq'], folder), { status: 0, stdout: '', stderr: '' });
});

test('a missing S3 server is installed, or the message says what to do', () => {
  for (const tool of ['radosgw-admin', 'ceph', 'ceph-mon', 'ceph-osd', 'ceph-authtool', 'monmaptool'])
    put(tool, ':');
  const failed = run(['ensure', 's3']);
  assert.equal(failed.status, 1);
  assert.match(failed.stderr, /cannot install Ceph: .* TEST_S3_URL=http:/);
  putAptGet('radosgw', ':');
  const { status, stderr } = run(['ensure', 's3']);
  assert.equal(status, 0, stderr);
  assert.equal(stderr, 'services: installing radosgw ceph-mon ceph-osd with apt-get\n');
});

test('a missing Docker is installed, or the message says what to do', () => {
  for (const tool of ['docker', 'docker-compose', 'debootstrap']) put(tool, ':');
  const failed = run(['ensure', 'docker']);
  assert.equal(failed.status, 1);
  assert.match(failed.stderr, /cannot install docker\.io, docker-compose and debootstrap/);
  putAptGet('dockerd', ':');
  const { status, stderr } = run(['ensure', 'docker']);
  assert.equal(status, 0, stderr);
  assert.equal(stderr, 'services: installing docker.io docker-compose debootstrap with apt-get\n');
});

test('a URL in the environment is used instead of starting a server', () => {
  const given = {
    TEST_POSTGRES_URL: 'postgres://user@db.example/tests',
    TEST_RABBITMQ_URL: 'amqp://user@queue.example',
    TEST_S3_URL: 'http://key:secret@store.example',
  };
  const { status, stdout, stderr } = run(['run', 'postgresql', 'rabbitmq', 's3', '--', 'env'], given);
  assert.equal(status, 0, stderr);
  assert.match(stdout, /^TEST_POSTGRES_URL=postgres:\/\/user@db\.example\/tests$/m);
  assert.match(stdout, /^TEST_RABBITMQ_URL=amqp:\/\/user@queue\.example$/m);
  assert.match(stdout, /^TEST_S3_URL=http:\/\/key:secret@store\.example$/m);
});

test('the exit code of the command is the exit code of the script', () => {
  const given = { TEST_POSTGRES_URL: 'postgres://user@db.example/tests' };
  assert.equal(run(['run', 'postgresql', '--', 'bash', '-c', 'exit 3'], given).status, 3);
});

/** Starts the real servers, runs a command that prints their URLs and waits, and returns the URLs. */
async function startServers(folder: string) {
  const variables = ['TEST_POSTGRES_URL', 'TEST_RABBITMQ_URL', 'TEST_S3_URL'];
  const env = { ...process.env };
  for (const variable of variables) delete env[variable];
  const print = `echo "${variables.map((variable) => `$${variable}`).join(' ')}"; cat`;
  const script = spawn(SCRIPT, ['run', 'postgresql', 'rabbitmq', 's3', '--', 'bash', '-c', print], {
    env: { ...env, TMPDIR: folder },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [line] = await once(createInterface(script.stdout), 'line');
  const urls = String(line)
    .split(' ')
    .map((url) => new URL(url));
  return { script, urls };
}

async function isListening({ hostname, port }: URL): Promise<boolean> {
  const socket = connect(Number(port), hostname);
  // `once` rejects if the socket reports an error.
  const isOpen = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  return isOpen;
}

test('servers run on loopback until their command ends, and leave no files', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gyre-services-'));
  chmodSync(folder, 0o755);
  try {
    const { script, urls } = await startServers(folder);
    for (const url of urls) {
      assert.equal(url.hostname, '127.0.0.1');
      assert.ok(Number(url.port) < 32768);
      assert.ok(await isListening(url));
    }
    script.stdin.end();
    assert.deepEqual(await once(script, 'close'), [0, null]);
    for (const url of urls) assert.equal(await isListening(url), false);
    assert.deepEqual(readdirSync(folder), []);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('servers stop if the script receives a signal', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gyre-services-'));
  chmodSync(folder, 0o755);
  try {
    const { script, urls } = await startServers(folder);
    script.kill('SIGTERM');
    await once(script, 'exit');
    for (const url of urls) assert.equal(await isListening(url), false);
    assert.deepEqual(readdirSync(folder), []);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('wrong arguments print the usage', () => {
  const unknown = [['fly'], ['ensure', 'mysql'], ['path', 'rabbitmq'], ['run', 'mysql', '--', 'env']];
  const incomplete = [[], ['ensure'], ['path'], ['run', 'postgresql'], ['run', '--', 'env']];
  for (const args of [...unknown, ...incomplete]) {
    const { status, stderr } = run(args);
    assert.equal(status, 2, args.join(' '));
    assert.match(stderr, /usage: scripts\/services/);
  }
  assert.match(run(['--help']).stdout, /^usage: /);
});
