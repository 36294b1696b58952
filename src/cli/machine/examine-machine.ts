/** Examines the machine of `gyre doctor`. Each check has one line, and advice if something has to be changed. */
import { isIP } from 'node:net';
import { formatDuration, formatSize, messageOf } from '../../base/mod.ts';
import type { Config } from '../settings/mod.ts';
import { type MachineFacts, thisMachine } from './machine-facts.ts';

export interface MachineFinding {
  check: 'Node.js' | 'disk' | 'open files' | 'memory' | 'clock' | 'names' | 'port';
  isGood: boolean;
  /** The finding, for example `12.0 GiB free`. */
  found: string;
  /** The remedy; empty if nothing has to be done. */
  advice: string;
}

interface MachineOptions {
  config: Pick<Config, 'data' | 'memoryBytes' | 'serve' | 'crawl'>;
  /** URLs of the seeds, whose hosts are looked up. */
  seeds: readonly string[];
  /** By how much the last commit of the crawl is in the future; 0 if it is not. */
  clockSetBackMs: number;
  facts?: MachineFacts;
}

/** The version that is installed with the program. Older ones run TypeScript only with flags. */
const LEAST_NODE = 24;
/** A crawl has a connection for each request in flight, and a search server for each client and segment. */
const LEAST_OPEN_FILES = 4096;
/** With less, a merge of the index may not fit. */
const LEAST_FREE_BYTES = 1024 ** 3;
/** No engine runs before its program was written. */
const EARLIEST_MS = Date.UTC(2026, 0, 1);
const MAX_NAMES = 3;
/** Names that no name server has (RFC 6761). */
const SPECIAL = /(?:^|\.)(?:test|example|invalid|localhost)$/;

export async function examineMachine(options: MachineOptions): Promise<MachineFinding[]> {
  const { config, facts = thisMachine } = options;
  return [
    nodeFinding(facts),
    diskFinding(config, facts),
    openFilesFinding(facts),
    memoryFinding(config, facts),
    clockFinding(options.clockSetBackMs, facts),
    await namesFinding(options, facts),
    await portFinding(config, facts),
  ];
}

/** Renders the findings: a line for each check, followed by the advice. */
export function machineLines(findings: readonly MachineFinding[]): string[] {
  const width = Math.max(...findings.map(({ check }) => check.length));
  return findings.flatMap(({ check, isGood, found, advice }) => [
    `${check.padEnd(width)}  ${isGood ? 'ok     ' : 'warning'}  ${found}`,
    ...(advice === '' ? [] : [`  ${advice}`]),
  ]);
}

function good(check: MachineFinding['check'], found: string): MachineFinding {
  return { check, isGood: true, found, advice: '' };
}

function bad(check: MachineFinding['check'], found: string, advice: string): MachineFinding {
  return { check, isGood: false, found, advice };
}

function nodeFinding({ nodeVersion }: MachineFacts): MachineFinding {
  const found = `version ${nodeVersion}`;
  if (Number.parseInt(nodeVersion, 10) >= LEAST_NODE) return good('Node.js', found);
  return bad('Node.js', found, `expected ${LEAST_NODE} or later, which npm ci installs: start bin/gyre`);
}

function diskFinding({ data, crawl }: MachineOptions['config'], facts: MachineFacts): MachineFinding {
  const free = facts.freeBytes(data);
  const found = `${formatSize(free)} free at ${data}`;
  const leastBytes = Math.max(LEAST_FREE_BYTES, 2 * crawl.minFreeSpaceBytes);
  if (free >= leastBytes) return good('disk', found);
  const stops = `the crawl pauses below ${formatSize(crawl.minFreeSpaceBytes)} (crawl.minFreeSpace)`;
  return bad('disk', found, `${stops}: make room, or move the data directory to a larger disk`);
}

function openFilesFinding(facts: MachineFacts): MachineFinding {
  const limit = facts.openFiles();
  if (limit === null) return good('open files', 'no known limit');
  if (limit >= LEAST_OPEN_FILES) return good('open files', `up to ${limit}`);
  const advice = `raise it to ${LEAST_OPEN_FILES} or more: ulimit -n, or LimitNOFILE in the systemd unit`;
  return bad('open files', `only ${limit} at once`, advice);
}

function memoryFinding({ memoryBytes }: MachineOptions['config'], facts: MachineFacts): MachineFinding {
  const { totalBytes, availableBytes } = facts.memory();
  const found = `limit ${formatSize(memoryBytes)} of ${formatSize(totalBytes)}, ${formatSize(availableBytes)} available`;
  if (memoryBytes > totalBytes * 0.9) {
    const advice = '--memory is too high: leave a tenth of the memory to other programs';
    return bad('memory', found, advice);
  }
  return good('memory', found);
}

function clockFinding(clockSetBackMs: number, { nowMs }: MachineFacts): MachineFinding {
  const found = new Date(nowMs).toISOString();
  const advice = 'set the clock, for example with timedatectl set-ntp true';
  if (nowMs < EARLIEST_MS) return bad('clock', `${found} is in the past`, advice);
  if (clockSetBackMs > 0)
    return bad(
      'clock',
      `${found}, but the last commit of the crawl is ${formatDuration(clockSetBackMs)} later`,
      advice,
    );
  return good('clock', found);
}

async function namesFinding({ config, seeds }: MachineOptions, facts: MachineFacts): Promise<MachineFinding> {
  if (config.crawl.proxy !== '') return good('names', 'resolved by crawl.proxy');
  const pinned = Object.keys(config.crawl.resolve);
  const hosts = [...new Set(seeds.map((seed) => new URL(seed).hostname))].filter(
    (host) =>
      isIP(host.replace(/^\[|\]$/g, '')) === 0 &&
      !SPECIAL.test(host) &&
      !pinned.some((name) => (name.startsWith('*') ? host.endsWith(name.slice(1)) : host === name)),
  );
  const asked = ['localhost', ...hosts.slice(0, MAX_NAMES)];
  const failures: string[] = [];
  for (const host of asked)
    await facts.resolve(host).catch((error) => failures.push(`${host}: ${messageOf(error)}`));
  if (failures.length === 0) return good('names', `resolved ${asked.join(', ')}`);
  return bad('names', failures.join('; '), 'check the network and the name servers in /etc/resolv.conf');
}

async function portFinding(
  { serve }: MachineOptions['config'],
  facts: MachineFacts,
): Promise<MachineFinding> {
  const { host, port } = serve;
  if (port === 0) return good('port', 'any free port');
  const place = `${host}:${port}`;
  const failure = await facts.listen(host, port);
  if (failure === null) return good('port', `${place} is free`);
  if (failure === 'EADDRINUSE') {
    if (await facts.isEngineAt(host, port)) return good('port', `an engine serves ${place}`);
    return bad('port', `another program uses ${place}`, 'choose another one with --port');
  }
  if (failure === 'EACCES')
    return bad(
      'port',
      `this user may not listen at ${place}`,
      'choose a port from 1024 on, with a proxy in front',
    );
  return bad('port', `cannot listen at ${place} (${failure})`, 'check serve.host');
}
