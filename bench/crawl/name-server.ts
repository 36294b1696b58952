/**
 * Replaces DNS in a process that is started with `--import` of this file: every name resolves to loopback after
 * NAMES_DELAY_MS, and the number of look-ups is appended to the file NAMES_LOG when the process ends.
 */
import { Resolver } from 'node:dns/promises';
import { appendFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const { NAMES_DELAY_MS = '20', NAMES_LOG } = process.env;
let lookups = 0;

async function lookUp(): Promise<string[]> {
  lookups++;
  await sleep(Number(NAMES_DELAY_MS));
  return ['127.0.0.1'];
}

Resolver.prototype.resolve4 = lookUp as never;
Resolver.prototype.resolve6 = (async () => []) as never;
if (NAMES_LOG) process.on('exit', () => lookups > 0 && appendFileSync(NAMES_LOG, `${lookups}\n`));
