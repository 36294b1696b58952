/** gyre: the command line. Each command is a file in commands/; only here are errors shown to people. */
import { UsageError } from '../base/mod.ts';
import { type Command, commandHelp, parseInvocation, table } from './arguments.ts';
import { buildCommand } from './commands/build.ts';
import { pauseCommand, resumeCommand, stopCommand } from './commands/control.ts';
import { crawlCommand } from './commands/crawl.ts';
import { evalCommand } from './commands/eval.ts';
import { exportCommand } from './commands/export.ts';
import { importCommand } from './commands/import.ts';
import { mcpCommand } from './commands/mcp.ts';
import { rankCommand } from './commands/rank.ts';
import { robotsCommand } from './commands/robots.ts';
import { searchCommand } from './commands/search.ts';
import { selftestCommand } from './commands/selftest.ts';
import { serveCommand } from './commands/serve.ts';
import { statusCommand } from './commands/status.ts';
import { synonymsCommand } from './commands/synonyms.ts';
import { tuneCommand } from './commands/tune.ts';
import { upCommand } from './commands/up.ts';
import { urlCommand } from './commands/url.ts';
import { failureOf } from './failure.ts';
import { endWhenNobodyReads, print } from './output.ts';
import { VERSION } from './version.ts';

const COMMANDS: readonly Command[] = [
  upCommand,
  crawlCommand,
  buildCommand,
  rankCommand,
  serveCommand,
  searchCommand,
  mcpCommand,
  statusCommand,
  synonymsCommand,
  urlCommand,
  robotsCommand,
  pauseCommand,
  resumeCommand,
  stopCommand,
  importCommand,
  exportCommand,
  evalCommand,
  tuneCommand,
  selftestCommand,
];

endWhenNobodyReads();
const code = await main(process.argv.slice(2));
// A failed command may have left a server or a thread behind; one that went well has closed what it opened.
if (code !== 0) process.exit(code);

async function main([name, ...args]: string[]): Promise<number> {
  try {
    if (name === undefined || name === '--help' || name === '-h' || name === 'help') print(overview());
    else if (name === '--version') print(VERSION);
    else await runCommand(name, args);
    return 0;
  } catch (error) {
    const { message, usage } = failureOf(error);
    process.stderr.write(`gyre: ${message}\n`);
    return usage ? 2 : 1;
  }
}

async function runCommand(name: string, args: string[]): Promise<void> {
  const command = COMMANDS.find((candidate) => candidate.name === name);
  if (!command) {
    const known = COMMANDS.map((candidate) => candidate.name).join(', ');
    throw new UsageError('unknown-command', `there is no command "${name}"; there are ${known}`);
  }
  if (args.includes('--help') || args.includes('-h')) return print(commandHelp(command).trimEnd());
  await command.run(parseInvocation(command, args, process.env));
}

function overview(): string {
  const commands = COMMANDS.map((command) => [command.name, command.summary] as const);
  return `gyre ${VERSION}: a web search engine that a person can own

gyre COMMAND [options] [arguments]

${table(commands)}
gyre COMMAND --help tells more.`;
}
