/**
 * Installs rival programs when a benchmark first needs them: npm packages below bench/, other programs with
 * apt-get.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';

const BENCH = import.meta.dirname;

/**
 * Installs the packages of the package.json in `directory` from its lock file, once. Install scripts are not
 * run, because no rival needs them.
 */
export function ensurePackages(directory = BENCH): void {
  if (existsSync(join(directory, 'node_modules'))) return;
  console.error(`installing the rivals in ${relative(process.cwd(), directory)} …`);
  execFileSync('npm', ['ci', '--prefix', directory, '--ignore-scripts', '--no-audit', '--no-fund'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

/** Returns true if the program is available, after an attempt to install its Debian package. */
export function ensureProgram(program: string, debianPackage: string): boolean {
  if (isThere(program)) return true;
  const prefix = process.getuid?.() === 0 ? [] : ['sudo', '-n'];
  const [command, ...args] = [...prefix, 'apt-get', 'install', '-y', '-qq', debianPackage];
  console.error(`installing ${debianPackage} …`);
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  spawnSync(command!, args, { stdio: 'ignore', env: environment });
  if (!isThere(program)) console.error(`${program} cannot be installed here: its row is left out`);
  return isThere(program);
}

function isThere(program: string): boolean {
  return spawnSync('sh', ['-c', 'command -v "$1"', 'sh', program], { stdio: 'ignore' }).status === 0;
}
