/**
 * The command line, `gyre`. Each command is a file in commands/ and is loaded only when it runs, so that a crawl,
 * for example, does not load the web server. This is the only file that shows errors to people.
 */
import { setFlagsFromString } from 'node:v8';
import { UsageError, watchMemory } from '../base/mod.ts';
import { type Command, commandHelp, parseInvocation, table } from './arguments.ts';
import { endProcess } from './end-process.ts';
import { failureOf } from './failure.ts';
import { endWhenNobodyReads, print, tell } from './output.ts';
import { VERSION } from './version.ts';

const COMMANDS = new Map<string, () => Promise<Command>>([
  ['up', async () => (await import('./commands/up.ts')).upCommand],
  ['crawl', async () => (await import('./commands/crawl.ts')).crawlCommand],
  ['build', async () => (await import('./commands/build.ts')).buildCommand],
  ['rank', async () => (await import('./commands/rank.ts')).rankCommand],
  ['embed', async () => (await import('./commands/embed.ts')).embedCommand],
  ['serve', async () => (await import('./commands/serve.ts')).serveCommand],
  ['search', async () => (await import('./commands/search.ts')).searchCommand],
  ['mcp', async () => (await import('./commands/mcp.ts')).mcpCommand],
  ['status', async () => (await import('./commands/status.ts')).statusCommand],
  ['synonyms', async () => (await import('./commands/synonyms.ts')).synonymsCommand],
  ['inspect', async () => (await import('./inspection/mod.ts')).inspectCommand],
  ['url', async () => (await import('./commands/url.ts')).urlCommand],
  ['robots', async () => (await import('./commands/robots.ts')).robotsCommand],
  ['pause', async () => (await import('./commands/control.ts')).pauseCommand],
  ['resume', async () => (await import('./commands/control.ts')).resumeCommand],
  ['stop', async () => (await import('./commands/control.ts')).stopCommand],
  ['remove', async () => (await import('./commands/remove.ts')).removeCommand],
  ['import', async () => (await import('./commands/import.ts')).importCommand],
  ['export', async () => (await import('./commands/export.ts')).exportCommand],
  ['eval', async () => (await import('./commands/eval.ts')).evalCommand],
  ['tune', async () => (await import('./commands/tune.ts')).tuneCommand],
  ['node', async () => (await import('./cluster/node-command.ts')).nodeCommand],
  ['doctor', async () => (await import('./commands/doctor.ts')).doctorCommand],
  ['selftest', async () => (await import('./commands/selftest.ts')).selftestCommand],
]);

endWhenNobodyReads();
// bin/gyre sets this flag for the main thread only. It is reset here, because V8 would prefer it to the heap
// limits of the other threads.
setFlagsFromString('--max-semi-space-size=0');
const code = await main(process.argv.slice(2));
// A failed command may have left a server or a thread running, so the process is ended. A successful command has
// closed everything that it opened.
if (code !== 0) endProcess(code);

async function main([name, ...args]: string[]): Promise<number> {
  try {
    if (name === undefined || name === '--help' || name === '-h' || name === 'help') print(await overview());
    else if (name === '--version') print(VERSION);
    else await runCommand(name, args);
    return 0;
  } catch (error) {
    const { message, exitCode } = failureOf(error);
    tell(`gyre: ${message}`);
    return exitCode;
  }
}

async function runCommand(name: string, args: string[]): Promise<void> {
  const load = COMMANDS.get(name);
  if (!load) {
    const known = [...COMMANDS.keys()].join(', ');
    throw new UsageError('unknown-command', `unknown command "${name}"; expected one of ${known}`);
  }
  const command = await load();
  if (args.includes('--help') || args.includes('-h')) return print(commandHelp(command).trimEnd());
  const invocation = parseInvocation(command, args, process.env);
  watchMemory(invocation.config.memoryBytes);
  await command.run(invocation);
}

async function overview(): Promise<string> {
  const commands = await Promise.all([...COMMANDS.values()].map((load) => load()));
  const summaries = commands.map((command) => [command.name, command.summary] as const);
  return `gyre ${VERSION}: a web search engine that a person can own

gyre COMMAND [options] [arguments]

${table(summaries)}
Run gyre COMMAND --help for the options of a command.`;
}
