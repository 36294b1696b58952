/** Parses the command line into a command, its flags and its configuration. */
import { parseArgs } from 'node:util';
import { messageOf, nearestName, parseSize, UsageError } from '../base/mod.ts';
import { type ChangeableConfig, openConfig } from './changes/mod.ts';
import { type Config, SETTINGS } from './settings/mod.ts';

/** A command-line flag of a single command that has no setting in the configuration. */
export interface OwnFlag {
  name: string;
  /** Type of the flag. A `list` flag may be given several times. */
  kind: 'boolean' | 'string' | 'list';
  help: string;
  /** Placeholder for the value in the help text, such as `N` or `FILE`. */
  value?: string;
}

export interface Command {
  name: string;
  /** Description of the positional arguments in the help text, for example `SEED…`. */
  positionals: string;
  /** Full description in the help text, without the last full stop. */
  summary: string;
  /** Command lines for the help text. A test parses them. */
  examples?: readonly string[];
  /** Settings that this command accepts as flags, in addition to those that every command accepts. */
  settings: readonly string[];
  flags: readonly OwnFlag[];
  /** Minimum value of `--memory` for this command; by default the minimum of all commands. */
  leastMemory?: string;
  /** True if arguments such as `-word` are part of a query, not flags. */
  dashWords?: boolean;
  run(invocation: Invocation): Promise<void>;
}

export interface Invocation {
  config: Config;
  /** The configuration, with the present changes of the operator, and what changes it. */
  changeable: ChangeableConfig;
  /** Values of all flags on the command line, by name. */
  flags: Readonly<Record<string, string | boolean | undefined>>;
  /** The values of repeatable flags; undefined if the flag was not given. */
  lists: Readonly<Record<string, readonly string[] | undefined>>;
  positionals: readonly string[];
}

type ParseOptions = Record<string, { type: 'boolean' | 'string'; multiple?: boolean }>;

const SHIELD = '\u0000';
const EVERYWHERE = ['data', 'log-level', 'memory'];
const COMMON: readonly OwnFlag[] = [
  { name: 'config', kind: 'string', value: 'FILE', help: 'read settings from this JSON file' },
  { name: 'help', kind: 'boolean', help: 'show this text' },
];

export function parseInvocation(
  command: Command,
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Invocation {
  const options: ParseOptions = {};
  for (const { name, kind } of flagsOf(command))
    options[name] = kind === 'list' ? { type: 'string', multiple: true } : { type: kind };
  const { values, lists, positionals } = parseStrictly(
    command,
    command.dashWords ? args.map(shield) : args,
    options,
  );
  if (command.positionals === '' && positionals.length > 0) {
    throw new UsageError(
      'unexpected-argument',
      `gyre ${command.name} does not take the argument "${positionals[0]}"; ${seeHelp(command)}`,
    );
  }
  const file = (values.config as string | undefined) ?? environment.GYRE_CONFIG;
  const sources = {
    flags: values,
    environment,
    file,
    ...(command.leastMemory !== undefined && { leastMemoryBytes: parseSize(command.leastMemory) }),
  };
  const changeable = openConfig(sources);
  return {
    config: changeable.reload(),
    changeable,
    flags: values,
    lists,
    positionals: positionals.map(unshield),
  };
}

/** Adds a prefix to an argument such as `-word`, so that the argument parser does not take it for a flag. */
function shield(arg: string): string {
  return /^-[^-]/.test(arg) ? SHIELD + arg : arg;
}

function unshield(arg: string): string {
  return arg.startsWith(SHIELD) ? arg.slice(SHIELD.length) : arg;
}

export function table(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, help]) => `  ${name.padEnd(width)}  ${help}\n`).join('');
}

/** Returns all flags of a command: its own, those of its settings, and those of every command. */
export function flagsOf(command: Command): OwnFlag[] {
  const heeded = new Set([...command.settings, ...EVERYWHERE]);
  const settings = SETTINGS.filter((setting) => setting.flag !== undefined && heeded.has(setting.flag));
  const flags = settings.map(({ flag, help }) => ({ name: flag!, kind: 'string' as const, help }));
  return [...command.flags, ...flags, ...COMMON];
}

function parseStrictly(
  command: Command,
  args: readonly string[],
  options: ParseOptions,
): {
  values: Record<string, string | boolean | undefined>;
  lists: Record<string, string[] | undefined>;
  positionals: string[];
} {
  try {
    const parsed = parseArgs({ args: [...args], options, strict: true, allowPositionals: true });
    const given = Object.entries(parsed.values);
    return {
      values: Object.fromEntries(given.filter(isSingle)),
      lists: Object.fromEntries(given.filter((entry) => !isSingle(entry))) as Record<string, string[]>,
      positionals: parsed.positionals,
    };
  } catch (cause) {
    const first = messageOf(cause).split(/[.\n]/, 1)[0]!;
    const near = nearestFlag(first, Object.keys(options));
    const advice = near === null ? seeHelp(command) : `did you mean --${near}?`;
    throw new UsageError('bad-option', `${first}; ${advice}`, { cause });
  }
}

/** Returns the flag that an unknown one was probably meant to be, from the message `Unknown option '--dealy'`. */
function nearestFlag(message: string, known: readonly string[]): string | null {
  const unknown = /^Unknown option '--([^'=]+)/.exec(message)?.[1];
  return unknown === undefined ? null : nearestName(unknown, known);
}

function isSingle(entry: [string, unknown]): entry is [string, string | boolean | undefined] {
  return !Array.isArray(entry[1]);
}

function seeHelp(command: Command): string {
  return `see gyre ${command.name} --help`;
}
