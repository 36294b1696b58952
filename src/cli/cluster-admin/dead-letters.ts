/** The command `gyre dead-letters`: shows messages that no node could read or store, sends them again, or deletes them. */
import { UsageError } from '../../base/mod.ts';
import { type DeadLetter, deleteDeadLetters, readDeadLetters, resendDeadLetters } from '../../cluster/mod.ts';
import { clusterCommandFor } from '../advice.ts';
import type { Command, Invocation } from '../arguments.ts';
import { readClusterFile } from '../cluster/cluster-file.ts';
import { counted, print, printJson } from '../output.ts';

const MAX_SHOWN = 100;

export const deadLettersCommand: Command = {
  name: 'dead-letters',
  positionals: '',
  summary:
    'Shows messages between crawl nodes that no node could read or store, sends them again, or deletes them',
  examples: ['gyre dead-letters --cluster cluster.json', 'gyre dead-letters --cluster cluster.json --resend'],
  settings: [],
  flags: [
    { name: 'cluster', kind: 'string', value: 'FILE', help: 'the cluster file (docs/cluster.md)' },
    {
      name: 'resend',
      kind: 'boolean',
      help: 'send all of them again, for example after an upgrade of the nodes',
    },
    { name: 'delete', kind: 'boolean', help: 'delete all of them: their links are lost' },
    { name: 'json', kind: 'boolean', help: 'print the result as one JSON object' },
  ],
  run: deadLetters,
};

async function deadLetters({ flags }: Invocation): Promise<void> {
  const file = flags.cluster;
  if (typeof file !== 'string')
    throw new UsageError('bad-option', 'missing --cluster FILE; see gyre dead-letters --help');
  if (flags.resend && flags.delete)
    throw new UsageError('bad-option', 'expected --resend or --delete, got both');
  const { rabbitmq, name } = readClusterFile(file, process.env);
  if (flags.resend || flags.delete) {
    const settle = flags.resend ? resendDeadLetters : deleteDeadLetters;
    const count = await settle(rabbitmq, name);
    if (flags.json) return printJson({ [flags.resend ? 'resent' : 'deleted']: count });
    return print(`${counted(count, 'dead letter')} ${flags.resend ? 'sent again' : 'deleted'}`);
  }
  const letters = await readDeadLetters(rabbitmq, name, MAX_SHOWN);
  if (flags.json) return printJson({ letters });
  if (letters.length === 0) return print(`cluster ${name}: no dead letters`);
  for (const letter of letters) print(describe(letter));
  print(`${clusterCommandFor('dead-letters', file)} --resend sends them again, --delete deletes them`);
}

function describe({ queue, reason, sizeBytes, urls, urlCount, problem }: DeadLetter): string {
  const head = `${queue ?? 'unknown queue'}: ${reason}, ${counted(sizeBytes, 'byte')}`;
  if (problem !== null) return `${head}; ${problem}`;
  const more = urlCount > urls.length ? ` and ${urlCount - urls.length} more` : '';
  return `${head}, ${counted(urlCount, 'link')}: ${urls.join(' ')}${more}`;
}
