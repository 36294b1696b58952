/**
 * Starts a server for tests with `scripts/services`. `npm test` starts servers for all test files and names them in
 * the environment; a test file that runs alone, or kills its server, starts its own.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const SERVICES = join(import.meta.dirname, '../../scripts/services');

export interface TestService {
  /** The values of the variables that `scripts/services` sets for the server. */
  values: string[];
  stop(): Promise<void>;
}

/** Starts a server. The script stops the server when its standard input is closed. */
export async function startService(name: string, variables: readonly string[]): Promise<TestService> {
  const print = `printf '%s\\n' "${variables.map((variable) => `$${variable}`).join(' ')}"; cat`;
  // The script would use the server that the environment names.
  const env = { ...process.env };
  for (const variable of variables) delete env[variable];
  const script = spawn(SERVICES, ['run', name, '--', 'bash', '-c', print], {
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface(script.stdout);
  const [line] = await Promise.race([once(lines, 'line'), once(lines, 'close')]);
  if (!line) throw new Error(`scripts/services did not start ${name}`);
  const ended = once(script, 'close');
  const stop = async () => {
    script.stdin.end();
    await ended;
  };
  return { values: String(line).split(' '), stop };
}
