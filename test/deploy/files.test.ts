/**
 * Compares the Dockerfile and the files of deploy/ with the program: names of settings, commands, options and metrics,
 * and ports. `npm run test:deploy` runs them.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse, parseAllDocuments } from 'yaml';
import { silentLog, systemClock } from '../../src/base/mod.ts';
import { parseInvocation } from '../../src/cli/arguments.ts';
import { upCommand } from '../../src/cli/commands/up.ts';
import { environmentName } from '../../src/cli/settings/config.ts';
import { SETTINGS } from '../../src/cli/settings/mod.ts';
import type { Searcher } from '../../src/query/mod.ts';
import { createServer } from '../../src/serve/mod.ts';
import { temporaryDirectory } from '../helpers/gyre.ts';
import { baseImagesOf, instructionsOf } from './dockerfile.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const PORT = SETTINGS.find(({ key }) => key === 'serve.port')!.default;
const VARIABLES = new Set([...SETTINGS.map(({ key }) => environmentName(key)), 'GYRE_CONFIG']);
/** Variables that the compose file uses and the program does not read. */
const COMPOSE_VARIABLES = new Set(['GYRE_IMAGE']);

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

const dockerfile = read('Dockerfile');
const compose = parse(read('deploy/compose.single.yaml'));
const unit = read('deploy/gyre.service');

test('every YAML file of deploy/ can be read without a warning', () => {
  const files = globSync('deploy/**/*.{yaml,yml}', { cwd: ROOT, exclude: ['deploy/aws/**'] });
  assert.ok(files.length >= 10);
  for (const file of files) {
    for (const { errors, warnings } of parseAllDocuments(read(file), { merge: true }))
      assert.deepEqual([...errors, ...warnings], [], file);
  }
});

test('every setting that the files of deploy/ name exists', () => {
  for (const file of ['Dockerfile', ...globSync('deploy/**/*.*', { cwd: ROOT })]) {
    for (const [name] of read(file).matchAll(/\bGYRE_[A-Z_]+/g))
      assert.ok(VARIABLES.has(name) || COMPOSE_VARIABLES.has(name), `${file} names ${name}`);
  }
});

test('gyre up accepts the arguments and the environment of the compose file', () => {
  const { command, environment } = compose.services.engine;
  const given = { SEEDS: 'https://a.example https://b.example', CONTACT: 'me@example.org', MEMORY: '1Gi' };
  const fill = (text: string) =>
    text.replace(
      /\$\{(\w+)(?::-([^}]*))?\}/g,
      (_, name: string, other = '') => (given as Record<string, string>)[name] ?? other,
    );
  const [name, ...args] = fill(command).split(' ');
  assert.equal(name, upCommand.name);
  const filled = Object.entries(environment as Record<string, string>).map(([key, value]) => [
    key,
    fill(value),
  ]);
  const { config, positionals } = parseInvocation(upCommand, args, Object.fromEntries(filled));
  assert.deepEqual(positionals, ['https://a.example', 'https://b.example']);
  assert.equal(config.contact, 'mailto:me@example.org');
  assert.deepEqual(config.serve.proxies, [compose.services.proxy.networks.gyre.ipv4_address]);
});

test('the image and the service of systemd run gyre up', () => {
  const last = new Map(instructionsOf(dockerfile).map(({ name, text }) => [name, text]));
  assert.equal(last.get('ENTRYPOINT'), '["gyre"]');
  assert.equal(last.get('CMD'), `["${upCommand.name}"]`);
  assert.match(
    unit,
    new RegExp(`^ExecStart=/usr/bin/env node /opt/gyre/bin/gyre ${upCommand.name} \\$SEEDS$`, 'm'),
  );
});

test('all files name the default port of the engine', () => {
  const places: Record<string, RegExp> = {
    Dockerfile: /EXPOSE (\d+)|GYRE_SERVE_PORT:-(\d+)/g,
    'deploy/compose.single.yaml': /engine:(\d+)|:8080\}:(\d+)/g,
    'deploy/prometheus/prometheus.yml': /port: (\d+)/g,
    'deploy/Caddyfile': /127\.0\.0\.1:(\d+)/g,
    'deploy/nginx.conf': /server 127\.0\.0\.1:(\d+)/g,
  };
  for (const [file, pattern] of Object.entries(places)) {
    const ports = [...read(file).matchAll(pattern)].map(([, ...groups]) => groups.find(Boolean));
    assert.deepEqual([...new Set(ports)], [String(PORT)], file);
  }
});

test('the compose file mounts files that exist', () => {
  for (const { volumes } of Object.values(compose.services) as { volumes: string[] }[]) {
    for (const source of volumes.map((volume) => volume.split(':')[0]!)) {
      if (source.startsWith('./'))
        assert.ok(globSync(source, { cwd: join(ROOT, 'deploy') }).length > 0, source);
      else assert.ok(source in compose.volumes, source);
    }
  }
});

test('the build context has every file that the Dockerfile copies, and the stages are those of Debian', () => {
  const kept = new Set([...read('.dockerignore').matchAll(/^!(.+)$/gm)].map(([, path]) => path));
  const copied = instructionsOf(dockerfile).filter(
    ({ name, text }) => name === 'COPY' && !text.startsWith('--from'),
  );
  assert.ok(copied.length > 0);
  for (const source of copied.flatMap(({ text }) => text.split(' ').slice(0, -1)))
    assert.ok(kept.has(source), source);
  const releases = baseImagesOf(dockerfile).map((image) => /([a-z]+)-slim$/.exec(image)?.[1]);
  assert.equal(new Set(releases).size, 1, 'Node is built for the Debian that it runs on');
});

test('the dashboard and the alerts use metrics of the engine only', async () => {
  const known = new Set([...(await metricNames()), ...nodeMetricNames(), 'up']);
  const dashboard = JSON.parse(read('deploy/grafana/dashboards/gyre.json'));
  const alerts = parse(read('deploy/prometheus/alerts.yml'));
  const expressions: string[] = [
    ...dashboard.panels.flatMap((panel: { targets: { expr: string }[] }) =>
      panel.targets.map(({ expr }) => expr),
    ),
    ...alerts.groups.flatMap((group: { rules: { expr: string }[] }) => group.rules.map(({ expr }) => expr)),
    ...dashboard.templating.list.map(({ query }: { query: { query: string } }) => query.query),
  ];
  assert.ok(expressions.length > 15);
  for (const expression of expressions) {
    const names = expression.match(/\b(?:gyre|process|nodejs)_\w+|\bup\b/g) ?? [];
    assert.ok(names.length > 0, expression);
    for (const name of names) assert.ok(known.has(name), `${name} in ${expression}`);
  }
});

/** Returns the names of the metrics that nodes of a cluster declare for their roles. */
function nodeMetricNames(): string[] {
  const files = globSync('src/cli/cluster/*.ts', { cwd: ROOT });
  const names = files.flatMap((file) =>
    [...read(file).matchAll(/name: '(gyre_\w+)'/g)].map(([, name]) => name!),
  );
  assert.ok(names.length > 10, 'the declarations are found');
  return names;
}

/** Returns the names of all metrics of an engine that crawls and has answered a request. */
async function metricNames(): Promise<Set<string>> {
  const cache = { hits: 1, misses: 1, sizeBytes: 1 };
  const searcher = {
    stats: () => ({ docCount: 1, segmentCount: 1, sizeBytes: 1, generation: 1, cache }),
    close() {},
  } as unknown as Searcher;
  const status = () => ({ state: 'idle', pages: 1, queued: 1, errors: 0 }) as const;
  const options = { searcher, status, version: '1', contact: '', clock: systemClock, log: silentLog };
  const server = createServer(options);
  await server.inject('/healthz');
  const { body } = await server.inject('/metrics');
  await server.close();
  return new Set([...body.matchAll(/^(\w+)[{ ]/gm)].map(([, name]) => name!));
}

test('systemd accepts the unit', (context) => {
  if (!runs('systemd-analyze', ['--version'])) return context.skip('systemd-analyze is not installed');
  const copy = join(temporaryDirectory(context), 'gyre.service');
  cpSync(join(ROOT, 'deploy/gyre.service'), copy);
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', copy], { encoding: 'utf8' });
  assert.deepEqual({ status, stderr }, { status: 0, stderr: '' });
});

test('nginx accepts its example', (context) => {
  if (!runs('nginx', ['-v']) || !runs('openssl', ['version']))
    return context.skip('nginx or openssl is not installed');
  const folder = temporaryDirectory(context);
  const certificate = join(folder, 'fullchain.pem');
  const key = join(folder, 'privkey.pem');
  const subject = ['-subj', '/CN=search.example', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256'];
  const output = ['-nodes', '-keyout', key, '-out', certificate];
  execFileSync('openssl', ['req', '-x509', ...subject, ...output], { stdio: 'ignore' });
  const example = read('deploy/nginx.conf').replaceAll('/etc/letsencrypt/live/search.example', folder);
  mkdirSync(join(folder, 'logs'));
  writeFileSync(join(folder, 'gyre.conf'), example);
  const log = join(folder, 'logs', 'error.log');
  writeFileSync(
    join(folder, 'nginx.conf'),
    `pid ${folder}/pid;\nerror_log ${log};\nevents {}\nhttp {\n  access_log off;\n  include ${folder}/gyre.conf;\n}\n`,
  );
  const { status, stderr } = spawnSync('nginx', ['-t', '-p', folder, '-c', join(folder, 'nginx.conf')], {
    encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
});

function runs(program: string, args: readonly string[]): boolean {
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0;
}
