/** Keeps a thread at work on standing queries while `gyre up` or `gyre serve` runs. Without any there is no thread. */
import { type Log, messageOf, WorkerChannel } from '../../base/mod.ts';
import { hasStanding } from '../../standing/mod.ts';
import type { DataDirectory } from '../data-directory.ts';
import type { Config } from '../settings/mod.ts';

const TICK_MS = 500;
/** The pause after a failure, such as a full disk. */
const PAUSE_MS = 10_000;

interface StandingStage {
  end(): Promise<void>;
}

export function startStanding({ root }: DataDirectory, config: Config, log: Log): StandingStage {
  let channel: WorkerChannel<Config, void> | null = null;
  let isBusy = false;
  let idleUntil = 0;
  let trouble = '';
  const tick = async () => {
    if (isBusy || Date.now() < idleUntil || !hasStanding(root)) return;
    isBusy = true;
    try {
      channel ??= new WorkerChannel(new URL('./standing-thread.ts', import.meta.url), {});
      await channel.ask(config);
      trouble = '';
    } catch (error) {
      const reason = messageOf(error);
      if (reason !== trouble && !isEnded) log.error('standing queries fail', { reason });
      trouble = reason;
      idleUntil = Date.now() + PAUSE_MS;
      await channel?.close();
      channel = null;
    } finally {
      isBusy = false;
    }
  };
  let isEnded = false;
  const timer = setInterval(() => void tick(), TICK_MS);
  const end = async () => {
    isEnded = true;
    clearInterval(timer);
    await channel?.close();
  };
  return { end };
}
