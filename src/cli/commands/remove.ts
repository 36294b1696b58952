/** The command `gyre remove`, which takes pages out of the index and keeps them out. */
import { UsageError } from '../../base/mod.ts';
import { cliUser } from '../access/mod.ts';
import { commandFor } from '../advice.ts';
import { type Command, type Invocation, table } from '../arguments.ts';
import { openExistingData, readData } from '../data-directory.ts';
import { counted, print, printJson } from '../output.ts';
import {
  allowTargets,
  type RemovalChange,
  type RemovalOutcome,
  type RemovalPlace,
  removalsIn,
  removeTargets,
  settleOrWait,
} from '../purging/mod.ts';
import { describeTarget, parseRemovalTarget, type RemovalList } from '../removals/mod.ts';

export const removeCommand: Command = {
  name: 'remove',
  positionals: 'URL|PREFIX*|HOST…',
  summary: 'Takes pages out of the index at once and keeps them out, until they are allowed again',
  examples: [
    'gyre remove https://example.org/page',
    "gyre remove --purge 'https://example.org/private/*'",
    'gyre remove --list',
    'gyre remove --cluster cluster.json example.org',
  ],
  settings: [],
  flags: [
    {
      name: 'purge',
      kind: 'boolean',
      help: 'also delete every byte of the pages from archive, journal and all other files',
    },
    { name: 'allow', kind: 'boolean', help: 'cancel a removal; the next crawl fetches the pages again' },
    { name: 'list', kind: 'boolean', help: 'print what is removed' },
    {
      name: 'cluster',
      kind: 'string',
      value: 'FILE',
      help: 'act on all nodes of the cluster of this file instead (docs/cluster.md)',
    },
    { name: 'json', kind: 'boolean', help: 'print the result as one JSON object' },
  ],
  leastMemory: '384Mi',
  run: remove,
};

async function remove({ config, flags, positionals }: Invocation): Promise<void> {
  if (positionals.length === 0 && !flags.list)
    throw new UsageError('no-target', 'missing URL: gyre remove https://example.org/page');
  if (flags.purge && flags.allow)
    throw new UsageError('bad-option', '--purge and --allow exclude each other: use one of them');
  if (typeof flags.cluster === 'string') {
    // The clients of the services are loaded only for a cluster.
    const change = (await import('../cluster-admin/mod.ts')).removeFromCluster;
    return await change(flags.cluster, async (place) => {
      const report = await changeList(place, flags, positionals);
      if (report === null) return;
      if (flags.json) return printJson(report);
      for (const line of report.lines) print(line);
      print('searches no longer find removed pages within seconds; the nodes do the rest');
    });
  }
  const data = flags.list ? readData(config.data) : openExistingData(config.data);
  const report = await changeList(removalsIn(data), flags, positionals);
  if (report === null) return;
  const outcome = await settleOrWait(data, config);
  if (flags.json) return printJson({ ...report, ...outcome });
  for (const line of report.lines) print(line);
  for (const line of linesOf(outcome, flags.purge === true, config.data)) print(line);
}

/** Changes the list, and returns the report; or prints the list, and returns null. */
async function changeList(
  place: RemovalPlace,
  flags: Invocation['flags'],
  positionals: readonly string[],
): Promise<RemovalChange | null> {
  if (flags.list) {
    const list = await place.read();
    if (flags.json) printJson({ removed: list.rules });
    else print(describeList(list));
    return null;
  }
  const targets = positionals.map(parseRemovalTarget);
  const who = cliUser();
  if (flags.allow) return await allowTargets(place, targets, who);
  return await removeTargets(place, targets, { purge: flags.purge === true, who });
}

function linesOf(outcome: RemovalOutcome, purge: boolean, data: string): string[] {
  const stop = commandFor('stop', data);
  if (outcome.state === 'waiting')
    return [
      `another process uses the index: run ${commandFor('remove', data)} with the same arguments when it has ended`,
    ];
  if (outcome.state === 'hidden') {
    const rest = purge ? 'archive and journal are purged' : 'the crawl state is changed';
    return [
      `searches no longer find them; ${rest} when the running crawl or import ends (${stop} ends a crawl now)`,
    ];
  }
  if (outcome.counts === null) return ['the running engine has done it'];
  const { documents = 0, urls = 0, reopened = 0, archiveRecords = 0, journalRecords = 0 } = outcome.counts;
  const lines = [
    `${counted(documents, 'document')} taken out of the index, ${counted(urls, 'URL')} of the crawl blocked`,
  ];
  if (reopened > 0)
    lines.push(
      `${counted(reopened, 'URL')} elsewhere had the same content: the next crawl fetches them again`,
    );
  if (purge)
    lines.push(
      `deleted ${counted(archiveRecords, 'archive record')} and ${counted(journalRecords, 'journal record')}`,
    );
  return lines;
}

function describeList({ rules }: RemovalList): string {
  if (rules.length === 0) return 'nothing is removed';
  const rows = rules.map((rule): [string, string] => {
    const when = new Date(rule.removedAt).toISOString().slice(0, 16).replace('T', ' ');
    const purged = { no: '', pending: ', to be purged', done: ', purged' }[rule.purge];
    const because = rule.because ? `, a URL of the document ${rule.because}` : '';
    return [describeTarget(rule), `${when}${purged}${because}`];
  });
  return table(rows).trimEnd();
}
