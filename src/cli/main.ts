/**
 * The command line, `gyre`. Each command is a file in commands/ and is loaded only when it runs, so that a crawl,
 * for example, does not load the web server. This is the only file that shows errors to people.
 */
import { setFlagsFromString } from 'node:v8';
import { nearestName, UsageError, watchMemory } from '../base/mod.ts';
import { parseInvocation } from './arguments.ts';
import { COMMANDS } from './command-table.ts';
import { endProcess } from './end-process.ts';
import { failureOf } from './failure.ts';
import { commandHelp, overview } from './help-text.ts';
import { endWhenNobodyReads, flushOutput, print, tell } from './output.ts';
import { VERSION } from './version.ts';

endWhenNobodyReads();
// bin/gyre sets this flag for the main thread only. It is reset here, because V8 would prefer it to the heap
// limits of the other threads.
setFlagsFromString('--max-semi-space-size=0');
const code = await main(process.argv.slice(2));
// A failed command may have left a server or a thread running, so the process is ended. A successful command has
// closed everything that it opened.
if (code !== 0) {
  await flushOutput();
  endProcess(code);
}

async function main([name, ...args]: string[]): Promise<number> {
  try {
    if (name === undefined || name === '--help' || name === '-h' || name === 'help') print(overview());
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
  const entry = COMMANDS.find((known) => known.name === name);
  if (!entry) throw unknownCommand(name);
  const command = await entry.load();
  if (args.includes('--help') || args.includes('-h')) return print(commandHelp(command));
  const invocation = parseInvocation(command, args, process.env);
  watchMemory(invocation.config.memoryBytes);
  await command.run(invocation);
}

function unknownCommand(name: string): UsageError {
  const names = COMMANDS.map((known) => known.name);
  const near = nearestName(name, names);
  const advice = near ? `did you mean "gyre ${near}"?` : `expected one of ${names.join(', ')}`;
  return new UsageError('unknown-command', `unknown command "${name}"; ${advice}`);
}
