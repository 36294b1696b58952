/** Renders `gyre --help` and `gyre COMMAND --help` for terminals with 80 columns. */
import { type Command, flagsOf, type OwnFlag, table } from './arguments.ts';
import { COMMAND_GROUPS } from './command-table.ts';
import { SETTINGS } from './settings/mod.ts';
import { VERSION } from './version.ts';

const WIDTH = 80;
/** Width of the column of flags. The description of a longer flag begins on the next line. */
const FLAG_WIDTH = 22;

export function overview(): string {
  const groups = COMMAND_GROUPS.map(({ title, commands }) => {
    const rows = commands.map(({ name, line }) => [name.padEnd(NAME_WIDTH), line] as const);
    return `${title}:\n${table(rows)}`;
  });
  return `gyre ${VERSION}: a web search engine that a person can own

gyre COMMAND [options] [arguments]

${groups.join('\n')}
Run gyre COMMAND --help for the options of a command, with examples.`;
}

const NAME_WIDTH = Math.max(
  ...COMMAND_GROUPS.flatMap(({ commands }) => commands.map(({ name }) => name.length)),
);

export function commandHelp(command: Command): string {
  const parts = [
    `gyre ${command.name} [options] ${command.positionals}`.trimEnd(),
    wrap(`${command.summary}.`, '').join('\n'),
    `Options:\n${flagsOf(command).map(flagLines).join('\n')}`,
  ];
  if (command.examples) parts.push(`Examples:\n${command.examples.map((line) => `  ${line}`).join('\n')}`);
  return parts.join('\n\n');
}

/** The flag as it is typed, such as `--delay TIME`. */
export function flagUsage({ name, kind, value }: OwnFlag): string {
  if (kind === 'boolean') return `--${name}`;
  const setting = SETTINGS.find((candidate) => candidate.flag === name);
  return `--${name} ${value ?? (setting ? valueName(setting.kind.name) : 'TEXT')}`;
}

/** The description of a flag, with the default of its setting. */
export function flagDescription({ name, help }: OwnFlag): string {
  const setting = SETTINGS.find((candidate) => candidate.flag === name);
  if (!setting || setting.default === Number.MAX_SAFE_INTEGER) return help;
  const shown = String(setting.default);
  return shown === '' ? help : `${help} (${shown})`;
}

function flagLines(flag: OwnFlag): string {
  const usage = flagUsage(flag);
  const indent = ' '.repeat(FLAG_WIDTH + 4);
  const lines = wrap(flagDescription(flag), indent);
  if (usage.length > FLAG_WIDTH) return [`  ${usage}`, ...lines].join('\n');
  return [`  ${usage.padEnd(FLAG_WIDTH)}  ${lines[0]!.trimStart()}`, ...lines.slice(1)].join('\n');
}

/** Breaks a text into lines of at most 80 columns. Each line begins with `indent`. */
function wrap(text: string, indent: string): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && indent.length + line.length + 1 + word.length > WIDTH) {
      lines.push(indent + line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, indent + line];
}

/**
 * Returns the placeholder for a setting's value: choices as they are typed (`a|b`), other types in upper case.
 */
function valueName(kind: string): string {
  return kind.includes('|') ? kind.replaceAll(' ', '') : kind.replaceAll(' ', '-').toUpperCase();
}
