/** The command `gyre access`: accounts of the admin pages, and API keys. */
import { UsageError } from '../../base/mod.ts';
import { type Command, type Invocation, table } from '../arguments.ts';
import { type DataDirectory, openData, readData } from '../data-directory.ts';
import { print, printJson } from '../output.ts';
import { addAccount, createKey, removeAccount, renewPassword, revokeKey } from './accounts.ts';
import { checkRole, readAccess } from './accounts-file.ts';
import { cliUser } from './audit-log.ts';

const ACTIONS = ['list', 'add', 'password', 'remove', 'create-key', 'revoke-key'] as const;

export const accessCommand: Command = {
  name: 'access',
  positionals: '[ACTION] [NAME]',
  summary:
    'Lists and changes who may administer the engine: accounts for /admin, and API keys. The actions are list, add, password (a new one), remove, create-key and revoke-key',
  examples: ['gyre access add anna --role viewer', 'gyre access create-key monitoring'],
  settings: [],
  flags: [
    {
      name: 'role',
      kind: 'string',
      value: 'ROLE',
      help: 'role of a new account or key: viewer, who may look, or operator, who may also act (viewer)',
    },
    { name: 'json', kind: 'boolean', help: 'print the result as one JSON object' },
  ],
  run: access,
};

async function access({ config, flags, positionals }: Invocation): Promise<void> {
  const [action = 'list', name, ...more] = positionals;
  if (!ACTIONS.includes(action as (typeof ACTIONS)[number]) || more.length > 0)
    throw new UsageError('bad-action', `expected one of ${ACTIONS.join(', ')}, and a name`);
  if (action === 'list') return list(readData(config.data), flags.json === true);
  if (name === undefined) throw new UsageError('no-name', `missing name: gyre access ${action} NAME`);
  const role = checkRole(typeof flags.role === 'string' ? flags.role : 'viewer');
  const { root } = openData(config.data);
  const who = cliUser();
  const show = (secret: Record<string, string>, text: string) =>
    flags.json ? printJson({ name, ...secret }) : print(text);
  switch (action) {
    case 'add': {
      const password = await addAccount(root, name, role, who);
      return show({ role, password }, `account ${name} (${role}), password ${password}`);
    }
    case 'password': {
      const password = await renewPassword(root, name, who);
      return show({ password }, `new password of ${name}: ${password}`);
    }
    case 'remove':
      removeAccount(root, name, who);
      return show({}, `the account ${name} is removed, and its sessions have ended`);
    case 'create-key': {
      const key = createKey(root, name, role, who);
      return show({ role, key }, `key ${name} (${role}): ${key}`);
    }
    default:
      revokeKey(root, name, who);
      return show({}, `the key ${name} is revoked`);
  }
}

function list({ root }: DataDirectory, isJson: boolean): void {
  const { accounts, keys } = readAccess(root);
  if (isJson) {
    const plain = [...accounts, ...keys].map(({ name, role }, at) => ({
      kind: at < accounts.length ? 'account' : 'key',
      name,
      role,
    }));
    printJson({ access: plain });
    return;
  }
  const rows = [
    ...accounts.map(({ name, role }): [string, string] => [`account ${name}`, role]),
    ...keys.map(({ name, role }): [string, string] => [`key ${name}`, role]),
  ];
  print(
    rows.length === 0 ? 'no account yet: the first gyre up or gyre serve creates one' : table(rows).trimEnd(),
  );
}
