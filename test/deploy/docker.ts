/**
 * A Docker daemon that belongs to one test: its socket, images and volumes are in one folder. It sets up no
 * networks and no firewall rules, so containers use the network of the host.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sleep } from '../../src/base/mod.ts';

/** The client of Debian is preferred, because it fits the daemon of Debian. */
const CLIENT = ['/usr/bin/docker', '/usr/local/bin/docker'].find((file) => existsSync(file)) ?? 'docker';
const START_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 60_000;

export interface CommandOptions {
  environment?: Record<string, string>;
  limitMs?: number;
  /** Receives the text that the command writes to standard output and standard error, as it arrives. */
  onOutput?: (text: string) => void;
}

export class Docker {
  readonly #folder: string;
  readonly #daemon: ChildProcess;

  /** Starts the daemon with its files in `folder`, which must exist, and waits until it responds. */
  static async start(folder: string): Promise<Docker> {
    mkdirSync(join(folder, 'run'));
    const options = [
      '--iptables=false',
      '--bridge=none',
      `--data-root=${join(folder, 'data')}`,
      `--exec-root=${join(folder, 'run')}`,
      `--pidfile=${join(folder, 'pid')}`,
      `--host=unix://${join(folder, 'socket')}`,
    ];
    const daemon = spawn('dockerd', options, { stdio: ['ignore', 'pipe', 'pipe'] });
    const log = createWriteStream(join(folder, 'log'));
    daemon.stdout.pipe(log);
    daemon.stderr.pipe(log);
    await once(daemon, 'spawn');
    const docker = new Docker(folder, daemon);
    await docker.#whenReady();
    return docker;
  }

  private constructor(folder: string, daemon: ChildProcess) {
    this.#folder = folder;
    this.#daemon = daemon;
  }

  async #whenReady(): Promise<void> {
    const end = Date.now() + START_LIMIT_MS;
    while (Date.now() < end && this.#daemon.exitCode === null) {
      const isReady = await this.run(['info']).then(
        () => true,
        () => false,
      );
      if (isReady) return;
      await sleep(200);
    }
    const log = readFileSync(join(this.#folder, 'log'), 'utf8').split('\n').slice(-5).join('\n');
    await this.stop();
    throw new Error(`dockerd does not start:\n${log}`);
  }

  /** Runs a command of the Docker client and returns its standard output. Rejects if the command fails. */
  run(args: readonly string[], options: CommandOptions = {}): Promise<string> {
    return this.command(CLIENT, args, options);
  }

  /** Runs a program that uses this daemon, such as docker-compose. */
  async command(program: string, args: readonly string[], options: CommandOptions = {}): Promise<string> {
    const host = { DOCKER_HOST: `unix://${join(this.#folder, 'socket')}`, DOCKER_BUILDKIT: '1' };
    const child = spawn(program, args, {
      env: { ...process.env, ...host, ...options.environment },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: options.limitMs ?? 120_000,
    });
    let stdout = '';
    let all = '';
    const heard = (text: string) => {
      all += text;
      options.onOutput?.(text);
    };
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
      heard(text);
    });
    child.stderr.setEncoding('utf8').on('data', heard);
    const [code, signal] = await once(child, 'close');
    if (code === 0) return stdout.trim();
    const end = all.trim().split('\n').slice(-15).join('\n');
    throw new Error(`${program} ${args.slice(0, 3).join(' ')} ended with ${code ?? signal}:\n${end}`);
  }

  /** Stops the daemon, which stops its containers. */
  async stop(): Promise<void> {
    if (this.#daemon.exitCode === null && this.#daemon.signalCode === null) {
      const ended = once(this.#daemon, 'exit');
      this.#daemon.kill('SIGTERM');
      const killer = setTimeout(() => this.#daemon.kill('SIGKILL'), STOP_LIMIT_MS);
      await ended;
      clearTimeout(killer);
    }
    // The daemon does not remove these mounts, and a folder with a mount cannot be removed.
    for (const mount of [join('run', 'netns', 'default'), 'data'])
      spawnSync('umount', ['--quiet', join(this.#folder, mount)]);
  }
}
