/** A log line is an event with fields: `log.info('segment merged', { segment, docs, ms })`. */
import type { Clock } from './clock.ts';
import { escapeControls } from './printable.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';
export type LogFields = Record<string, string | number | boolean | null | undefined>;

export interface Log {
  debug(event: string, fields?: LogFields): void;
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
}

interface LogOptions {
  level: LogLevel;
  format: 'json' | 'text';
  clock: Clock;
  write(line: string): void;
}

const RANK: Record<LogLevel, number> = { debug: 0, info: 1, warn: 2, error: 3 };

export function createLog(options: LogOptions): Log {
  const render = options.format === 'json' ? renderJson : renderText;
  const at =
    (level: LogLevel) =>
    (event: string, fields: LogFields = {}) => {
      if (RANK[level] >= RANK[options.level])
        options.write(`${escapeControls(render(level, options.clock.now(), event, fields))}\n`);
    };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} };

function renderJson(level: LogLevel, now: number, event: string, fields: LogFields): string {
  return JSON.stringify({ time: new Date(now).toISOString(), level, event, ...fields });
}

function renderText(level: LogLevel, now: number, event: string, fields: LogFields): string {
  const time = new Date(now).toISOString().slice(11, 23);
  const rest = Object.entries(fields).map(([name, value]) => ` ${name}=${JSON.stringify(value) ?? 'none'}`);
  return `${time} ${level.padEnd(5)} ${event}${rest.join('')}`;
}
