/**
 * Replaces the system's name resolution in a process that is started with `--import` of this file: every name resolves
 * to loopback after NAMES_DELAY_MS, and the number of look-ups is appended to the file NAMES_LOG when the process ends.
 * As with the system's resolver in Node, at most four look-ups are in flight.
 */
import dns from 'node:dns/promises';
import { appendFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';

const MAX_IN_FLIGHT = 4;
const { NAMES_DELAY_MS = '20', NAMES_LOG } = process.env;
const waiting: (() => void)[] = [];
let inFlight = 0;
let lookups = 0;

async function lookUp(): Promise<{ address: string; family: number }[]> {
  lookups++;
  if (inFlight >= MAX_IN_FLIGHT) await new Promise<void>((resolve) => waiting.push(resolve));
  inFlight++;
  await sleep(Number(NAMES_DELAY_MS));
  inFlight--;
  waiting.shift()?.();
  return [{ address: '127.0.0.1', family: 4 }];
}

dns.lookup = lookUp as unknown as typeof dns.lookup;
syncBuiltinESMExports();
if (NAMES_LOG) process.on('exit', () => lookups > 0 && appendFileSync(NAMES_LOG, `${lookups}\n`));
