/**
 * Serves a synthetic web as a separate process, until SIGTERM or SIGINT.
 *
 *   node src/synthetic-web/main.ts --seed 1 --hosts 200 --pages 20000 --features robots,nearDuplicates=40 --port 0
 *
 * Prints one line of JSON, `{"port":…,"seeds":[…]}`, when it listens. `--features all` enables every feature.
 * A wrong option prints one line on standard error and sets exit code 2.
 */
import { parseArgs } from 'node:util';
import { messageOf, systemCode, UsageError } from '../base/mod.ts';
import { type Features, WEB_FEATURE_NAMES } from './features.ts';
import { planWeb } from './plan.ts';
import { type SyntheticWeb, startWeb } from './server.ts';

const OPTIONS = {
  seed: { type: 'string', default: '1' },
  hosts: { type: 'string', default: '20' },
  pages: { type: 'string', default: '1000' },
  'median-page-bytes': { type: 'string', default: '8000' },
  'links-per-page': { type: 'string', default: '12' },
  'host-skew': { type: 'string', default: '0.7' },
  features: { type: 'string', default: '' },
  'latency-ms': { type: 'string', default: '0' },
  port: { type: 'string', default: '0' },
} as const;

try {
  const { values } = parseArgs({ options: OPTIONS });
  const plan = planWeb({
    seed: number('seed', values.seed),
    hosts: number('hosts', values.hosts),
    pages: number('pages', values.pages),
    medianPageBytes: number('median-page-bytes', values['median-page-bytes']),
    linksPerPage: number('links-per-page', values['links-per-page']),
    hostSkew: number('host-skew', values['host-skew']),
    features: readFeatures(values.features),
  });
  const web = await startWeb(plan, {
    port: number('port', values.port),
    latencyMs: number('latency-ms', values['latency-ms']),
  });
  process.stdout.write(`${JSON.stringify({ port: web.port, seeds: web.seeds })}\n`);
  process.once('SIGTERM', () => stop(web));
  process.once('SIGINT', () => stop(web));
} catch (error) {
  const [line] = messageOf(error).split('\n');
  process.stderr.write(`web: ${line}\n`);
  process.exitCode = error instanceof UsageError || systemCode(error).startsWith('ERR_PARSE_ARGS') ? 2 : 1;
}

function stop(web: SyntheticWeb): void {
  void web.close().then(() => process.exit(0));
}

function number(name: string, text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) {
    throw new UsageError('bad-number', `--${name} must be a number, not "${text}"`);
  }
  return value;
}

/** Parses a list of features such as `robots,redirects=3`. */
function readFeatures(text: string): Features {
  if (text === 'all') return Object.fromEntries(WEB_FEATURE_NAMES.map((name) => [name, true]));
  const items = text.split(',').filter((item) => item !== '');
  return Object.fromEntries(
    items.map((item) => {
      const [name, amount] = item.split('=');
      return [name, amount === undefined ? true : number('features', amount)];
    }),
  );
}
