/**
 * The command `gyre completion`, which prints a script that completes commands, options and file names in a shell.
 * The script is made from the same tables as `--help`.
 */
import { UsageError } from '../../base/mod.ts';
import { type Command, flagsOf, type Invocation } from '../arguments.ts';
import { COMMANDS } from '../command-table.ts';
import { flagDescription } from '../help-text.ts';
import { print } from '../output.ts';

/** A command with its flags, as a completion needs it. */
interface Completed {
  name: string;
  line: string;
  flags: { name: string; takesValue: boolean; description: string }[];
}

const SHELLS: Readonly<Record<string, (commands: readonly Completed[]) => string>> = {
  bash: bashScript,
  // zsh runs completions of bash.
  zsh: (commands) => `autoload -U +X bashcompinit && bashcompinit\n${bashScript(commands)}`,
  fish: fishScript,
};

export const completionCommand: Command = {
  name: 'completion',
  positionals: Object.keys(SHELLS).join('|'),
  summary: 'Prints a script that completes commands, options and file names in a shell',
  examples: ['gyre completion bash', 'gyre completion fish'],
  settings: [],
  flags: [],
  run: completion,
};

async function completion({ positionals: [shell = ''] }: Invocation): Promise<void> {
  const names = Object.keys(SHELLS).join(', ');
  if (!Object.hasOwn(SHELLS, shell)) {
    throw new UsageError(
      'unknown-shell',
      `expected one of ${names}, got "${shell}"; for example: source <(gyre completion bash)`,
    );
  }
  print(SHELLS[shell]!(await Promise.all(COMMANDS.map(completed))));
}

async function completed({ name, line, load }: (typeof COMMANDS)[number]): Promise<Completed> {
  const flags = flagsOf(await load()).map((flag) => ({
    name: flag.name,
    takesValue: flag.kind !== 'boolean',
    description: flagDescription(flag),
  }));
  return { name, line, flags };
}

function bashScript(commands: readonly Completed[]): string {
  const cases = commands.map(
    ({ name, flags }) => `      ${name}) words='${flags.map((flag) => `--${flag.name}`).join(' ')}' ;;`,
  );
  return `_gyre() {
  local current=\${COMP_WORDS[COMP_CWORD]} words=''
  if [ "$COMP_CWORD" -eq 1 ]; then
    words='${commands.map(({ name }) => name).join(' ')}'
  elif [[ $current == -* ]]; then
    case \${COMP_WORDS[1]} in
${cases.join('\n')}
    esac
  else
    COMPREPLY=($(compgen -f -- "$current"))
    return
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o filenames -F _gyre gyre`;
}

function fishScript(commands: readonly Completed[]): string {
  const lines = commands.flatMap(({ name, line, flags }) => [
    `complete -c gyre -n __fish_use_subcommand -a ${name} -d ${quoted(line)}`,
    ...flags.map(
      (flag) =>
        `complete -c gyre -n '__fish_seen_subcommand_from ${name}' -l ${flag.name}${flag.takesValue ? ' -r' : ''} -d ${quoted(flag.description)}`,
    ),
  ]);
  return lines.join('\n');
}

/** Quotes a text for fish, in which only \\ and ' are special within single quotes. */
function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}
