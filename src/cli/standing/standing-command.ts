/** The command `gyre standing`: saves queries, and delivers the new and changed pages that match them. */
import { readFileSync } from 'node:fs';
import { messageOf, systemClock, UsageError } from '../../base/mod.ts';
import { checkQuery, hasStanding, matchRequest, newSecret } from '../../standing/mod.ts';
import { appendAudit, cliUser } from '../access/mod.ts';
import { commandFor } from '../advice.ts';
import { type Command, type Invocation, table } from '../arguments.ts';
import { type DataDirectory, openExistingData, readExistingData } from '../data-directory.ts';
import { lockStanding } from '../locks.ts';
import { counted, print, printJson, stderrLog, tell } from '../output.ts';
import { inStore, listQueries, saveQuery, testWebhook } from './standing-tools.ts';
import { findStanding, searcherOver, sendStanding } from './standing-work.ts';
import { writeDigest } from './write-digest.ts';

const ACTIONS = ['list', 'add', 'remove', 'test', 'retry', 'send', 'digest'] as const;
const EXAMPLES = 5;

export const standingCommand: Command = {
  name: 'standing',
  positionals: '[ACTION] [NAME] [QUERY…]',
  summary:
    'Saves queries whose new and changed pages arrive as feeds, digests or webhook messages. The actions are list, add, remove, test (show pages that match now, and send a test message), retry (send parked messages again), send (find new pages and send messages once, for engines without gyre up or gyre serve) and digest (print what no digest had yet)',
  examples: [
    `gyre standing add loops '"event loop" -video'`,
    'gyre standing add jobs engineer --webhook https://example.org/hook',
    'gyre standing digest loops --format mail --to anna@example.org',
  ],
  settings: [],
  flags: [
    { name: 'webhook', kind: 'string', value: 'URL', help: 'add: post messages to this address' },
    {
      name: 'secret-file',
      kind: 'string',
      value: 'FILE',
      help: 'add: sign the messages with the secret in this file; without it, a secret is made and printed',
    },
    { name: 'new-only', kind: 'boolean', help: 'add: only new pages, not changes of known ones' },
    { name: 'format', kind: 'string', value: 'FORMAT', help: 'digest: text, html or mail (text)' },
    {
      name: 'out',
      kind: 'string',
      value: 'FILE',
      help: 'digest: write to this file instead of standard output',
    },
    { name: 'to', kind: 'string', value: 'ADDRESS', help: 'digest: recipient of the mail' },
    { name: 'from', kind: 'string', value: 'ADDRESS', help: 'digest: sender of the mail' },
    { name: 'keep', kind: 'boolean', help: 'digest: print the same pages again the next time' },
    { name: 'json', kind: 'boolean', help: 'print the result as one JSON object' },
  ],
  dashWords: true,
  run: standing,
};

async function standing(invocation: Invocation): Promise<void> {
  const { config, flags, positionals } = invocation;
  const [action = 'list', name = '', ...words] = positionals;
  if (!ACTIONS.includes(action as (typeof ACTIONS)[number]))
    throw new UsageError('bad-action', `"${action}" is no action: expected one of ${ACTIONS.join(', ')}`);
  if (words.length > 0 && action !== 'add')
    throw new UsageError('bad-action', `gyre standing ${action} does not take the argument "${words[0]}"`);
  if (action === 'list') return list(readExistingData(config.data), flags.json === true);
  if (action === 'send') return await send(invocation);
  if (name === '') throw new UsageError('no-name', `missing name: gyre standing ${action} NAME`);
  const data = openExistingData(config.data);
  switch (action) {
    case 'add':
      return add(data, name, words.join(' '), flags);
    case 'remove':
      inStore(data, (store) => store.remove(name));
      audit(data, 'standing-remove', name);
      return flags.json ? printJson({ name }) : print(`the query ${name} and its feeds are removed`);
    case 'test':
      return await tryQuery(data, name, invocation);
    case 'retry': {
      const messages = inStore(data, (store) => store.resumeWebhook(store.find(name).id, systemClock.now()));
      audit(data, 'standing-retry', name);
      return flags.json
        ? printJson({ name, messages })
        : print(`${counted(messages, 'message')} will be sent again`);
    }
    default:
      return await writeDigest(data, name, flags);
  }
}

function audit({ root }: DataDirectory, action: string, target: string): void {
  appendAudit(root, { who: cliUser(), action, target }, systemClock.now());
}

function list(data: DataDirectory, isJson: boolean): void {
  const queries = listQueries(data);
  if (isJson) {
    printJson({ queries });
    return;
  }
  if (queries.length === 0)
    print(`there are no standing queries: ${commandFor('standing add NAME QUERY', data.root.path)}`);
  for (const { name, query, newOnly, pages, lastAt, atom, json, webhook } of queries) {
    const last = lastAt === 0 ? '' : `, the last at ${new Date(lastAt).toISOString()}`;
    const rows: [string, string][] = [
      ['found', `${counted(pages, 'page')}${last}${newOnly ? '; only new pages' : ''}`],
      ['feeds', `${atom} ${json}`],
    ];
    if (webhook) {
      const { url, waiting, parked, problem, stopped } = webhook;
      const state =
        stopped === null ? `${waiting} waiting, ${parked} parked` : `stopped (${stopped}), ${parked} parked`;
      rows.push(
        ['webhook', url],
        ['messages', problem === null ? state : `${state}; last problem: ${problem}`],
      );
    }
    print(`${name}: ${query}\n${table(rows).trimEnd()}`);
  }
}

function add(data: DataDirectory, name: string, query: string, flags: Invocation['flags']): void {
  const url = typeof flags.webhook === 'string' ? flags.webhook : null;
  const file = typeof flags['secret-file'] === 'string' ? flags['secret-file'] : null;
  if (url === null && file !== null)
    throw new UsageError('no-webhook', '--secret-file is for a webhook: add --webhook URL');
  const secret = file === null ? newSecret() : readSecretFile(file);
  const webhook = url === null ? null : { url, secret };
  const newOnly = flags['new-only'] === true;
  const { feed } = saveQuery(data, { name, query: checkQuery(query), newOnly, webhook }, null);
  audit(data, 'standing-add', name);
  const [atom, json] = [`/standing/${feed}.atom`, `/standing/${feed}.json`];
  if (flags.json) {
    printJson({ name, atom, json, ...(url !== null && file === null && { secret }) });
    return;
  }
  print(
    `${name} is saved: pages that are indexed from now on count\n${table([
      ['Atom', atom],
      ['JSON', json],
    ]).trimEnd()}`,
  );
  if (url !== null && file === null) print(`  secret of the webhook, shown only now: ${secret}`);
}

function readSecretFile(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new UsageError('secret-file', `cannot read the secret in ${file}: ${messageOf(error)}`);
  }
}

/** Shows the pages that match a query now, and sends a test message to its webhook. */
async function tryQuery(data: DataDirectory, name: string, { config, flags }: Invocation): Promise<void> {
  const log = stderrLog(config);
  const { query, webhook } = inStore(data, (store) => store.find(name));
  const searcher = searcherOver(data.index, { config, log });
  const { total, results } = await searcher.search({ ...matchRequest(query), limit: EXAMPLES });
  searcher.close();
  const problem = webhook ? await testWebhook(data, config, log, name) : null;
  if (problem !== null) process.exitCode = 1;
  const found = results.map(({ url, title }) => ({ url, title }));
  if (flags.json)
    return printJson({ name, query, total, results: found, ...(webhook && { webhook: problem ?? 'ok' }) });
  print(`${counted(total, 'page')} of the index would match ${query}`);
  for (const { url, title } of found) print(`  ${title || url}\n    ${url}`);
  if (!webhook) return;
  if (problem === null) print(`the webhook ${webhook.url} accepted the test message`);
  else tell(`the webhook ${webhook.url} did not accept the test message: ${problem}`);
}

async function send({ config, flags }: Invocation): Promise<void> {
  const data = openExistingData(config.data);
  const log = stderrLog(config);
  if (!hasStanding(data.root)) return list(data, flags.json === true);
  const lock = lockStanding(data.root);
  try {
    const found = await findStanding(data, { config, log });
    const messages = await sendStanding(data, { config, log });
    if (flags.json) return printJson({ found, messages });
    print(`found ${counted(found, 'page')}, delivered ${counted(messages, 'message')}`);
  } finally {
    lock.release();
  }
}
