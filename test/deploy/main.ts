/**
 * npm run test:deploy
 *
 * Builds the image of Gyre and runs deploy/compose.single.yaml on a synthetic web, as root, on loopback, with a
 * Docker daemon of its own; then a cluster with the commands of deploy/compose.yaml. In a container, processes
 * have no capabilities, do not run as root, and see a read-only root file system. Prints a line for each check
 * and exits with 1 at the first one that fails. Takes about four minutes; the first run makes a minimal Debian,
 * which is kept in .cache/deploy. Everything else is stopped and removed.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatSize, messageOf } from '../../src/base/mod.ts';
import { startWeb } from '../../src/synthetic-web/mod.ts';
import { findFreePort } from '../attack/free-port.ts';
import { importBaseImages } from './base-images.ts';
import { ClusterContainers } from './cluster-containers.ts';
import { Docker } from './docker.ts';
import { EngineContainer } from './engine-container.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const IMAGE = 'gyre';
/** A CA bundle for npm in the build; npm on this machine may need it to reach its registry. */
const AUTHORITIES = process.env.NODE_EXTRA_CA_CERTS ?? '/etc/ssl/certs/ca-certificates.crt';
const MAX_IMAGE_BYTES = 300e6;
const BUILD_LIMIT_MS = 15 * 60_000;
const PAGES = 300;
const SEARCHES = 20;

const folder = mkdtempSync(join(tmpdir(), 'gyre-deploy-'));
let docker: Docker | null = null;
try {
  docker = await Docker.start(folder);
  await buildImage(docker);
  await checkImage(docker);
  await runEngine(docker);
  await runCluster(docker);
} catch (error) {
  process.stdout.write(`FAULT ${messageOf(error)}\n`);
  process.exitCode = 1;
} finally {
  await docker?.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function buildImage(docker: Docker): Promise<void> {
  const dockerfile = readFileSync(join(ROOT, 'Dockerfile'), 'utf8');
  const bases = await importBaseImages(docker, dockerfile, join(ROOT, '.cache', 'deploy'));
  report('base images', bases.join(', '));
  const startedAt = Date.now();
  const npmrc = join(folder, 'npmrc');
  const registry = process.env.npm_config_registry;
  writeFileSync(npmrc, `cafile=/run/secrets/authorities\n${registry ? `registry=${registry}\n` : ''}`);
  const secrets = ['--secret', `id=npmrc,src=${npmrc}`, '--secret', `id=authorities,src=${AUTHORITIES}`];
  const options = ['--network=host', '--progress=plain', ...secrets, '--tag', IMAGE];
  await docker.run(['build', ...options, ROOT], { limitMs: BUILD_LIMIT_MS });
  report('build', `${((Date.now() - startedAt) / 1000).toFixed(0)} s`);
}

async function checkImage(docker: Docker): Promise<void> {
  const sizeBytes = Number(await docker.run(['image', 'inspect', IMAGE, '--format', '{{.Size}}']));
  assert.ok(sizeBytes < MAX_IMAGE_BYTES, `the image has ${formatSize(sizeBytes)}`);
  report('size', formatSize(sizeBytes));
  const list = ['ls', '/gyre/node_modules', '/gyre/src'];
  const shown = await docker.run([
    'run',
    '--rm',
    '--network=host',
    '--entrypoint',
    list[0]!,
    IMAGE,
    ...list.slice(1),
  ]);
  const { devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const names = new Set(shown.split('\n'));
  const extra = Object.keys(devDependencies).filter((name) => names.has(name) && name !== 'yaml');
  assert.deepEqual(extra, [], 'the image has no development dependency');
  report('packages', 'no development dependency');
}

async function runEngine(docker: Docker): Promise<void> {
  const web = await startWeb({ seed: 1, hosts: 12, pages: PAGES }, { port: await findFreePort() });
  const engine = new EngineContainer(docker, { folder, image: IMAGE, port: await findFreePort() });
  try {
    const pages = [...web.plan.plainPages(web.port)];
    const startedAt = Date.now();
    await engine.up(web.seeds);
    await engine.whenHealthy();
    report('start', `healthy after ${seconds(startedAt)}`);
    await engine.checkIsolation();
    report('isolation', 'user 10001, no capability, read-only root file system');
    await engine.kill();
    const requestsBefore = web.log.length;
    await engine.startAgain();
    const restartedAt = Date.now();
    await engine.whenHealthy();
    report('kill and start', `healthy after ${seconds(restartedAt)}`);
    await engine.whenIndexed(PAGES);
    assert.ok(web.log.length > requestsBefore, 'the crawl was killed before its end');
    report('crawl', `${PAGES} pages, ${requestsBefore} of ${web.log.length} requests before the kill`);
    await engine.checkSearches(pages.slice(0, SEARCHES));
    report('search', `${SEARCHES} pages found by a word of their own`);
    report('stop', await engine.stop());
  } finally {
    await engine.down();
    await web.close();
  }
}

/**
 * Runs a node of every role in a container, and kills one of the two search nodes that have the same shards.
 */
async function runCluster(docker: Docker): Promise<void> {
  const web = await startWeb({ seed: 2, hosts: 12, pages: PAGES }, { port: await findFreePort() });
  try {
    const [gatewayPort, first, second] = [await findFreePort(), await findFreePort(), await findFreePort()];
    const options = {
      folder,
      image: IMAGE,
      seeds: web.seeds,
      gatewayPort,
      searcherPorts: [first, second] as const,
    };
    const cluster = new ClusterContainers(docker, options);
    await cluster.up();
    const startedAt = Date.now();
    await cluster.whenIndexed(PAGES);
    report('cluster', `${PAGES} pages crawled, indexed and searchable after ${seconds(startedAt)}`);
    const pages = [...web.plan.plainPages(web.port)].slice(0, SEARCHES);
    await cluster.checkSearches(pages);
    await cluster.kill('searcher-1');
    await cluster.checkSearches(pages);
    report('kill a searcher', `no failed and no partial search of ${SEARCHES}`);
    await cluster.stop();
    report('stop a cluster', 'every node with exit code 0');
  } finally {
    await web.close();
  }
}

function seconds(startedAt: number): string {
  return `${((Date.now() - startedAt) / 1000).toFixed(1)} s`;
}

function report(name: string, detail: string): void {
  process.stdout.write(`ok ${name.padEnd(15)} ${detail}\n`);
}
