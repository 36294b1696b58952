/** Renders the manual page `docs/gyre.1` from the tables of `--help`. */
import { flagsOf } from '../src/cli/arguments.ts';
import { COMMANDS } from '../src/cli/command-table.ts';
import { flagDescription, flagUsage } from '../src/cli/help-text.ts';

export async function manPage(): Promise<string> {
  const commands = await Promise.all(COMMANDS.map(({ load }) => load()));
  const sections = commands.map((command) => {
    const usage = `gyre ${command.name} [options] ${command.positionals}`.trimEnd();
    const flags = flagsOf(command).map(
      (flag) => `.TP\n.B ${plain(flagUsage(flag))}\n${plain(flagDescription(flag))}`,
    );
    const examples = (command.examples ?? []).map((line) => `.PP\n.EX\n${plain(line)}\n.EE`);
    return [
      `.SS ${command.name}`,
      `.B ${plain(usage)}`,
      '.PP',
      `${plain(command.summary)}.`,
      ...flags,
      ...examples,
    ].join('\n');
  });
  return `.\\" Written by npm run docs.
.TH GYRE 1
.SH NAME
gyre \\- a web search engine that a person can own
.SH SYNOPSIS
.B gyre
.I COMMAND
[options] [arguments]
.SH COMMANDS
${sections.join('\n')}
.SH FILES
All data is in one directory, ./data unless \\-\\-data names another one.
.SH EXIT STATUS
0 after success, 2 if the operator can correct the error, for example by another option, and 1 after other errors.
`;
}

/** Escapes what roff would interpret: backslashes, hyphens, and a dot or quote at the beginning of a line. */
function plain(text: string): string {
  const escaped = text.replaceAll('\\', '\\e').replaceAll('-', '\\-');
  return /^[.']/.test(escaped) ? `\\&${escaped}` : escaped;
}
