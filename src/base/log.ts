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
  /** `text` is prose for a terminal. */
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

const WORD: Record<LogLevel, string> = { debug: 'debug', info: 'note', warn: 'warning', error: 'error' };

/** Renders an event for people: `12:03:04 warning: segment damaged (segment seg-7, docs 12): bad magic; run gyre doctor`. */
function renderText(level: LogLevel, now: number, event: string, fields: LogFields): string {
  const { reason, advice, ...others } = fields;
  const time = new Date(now).toTimeString().slice(0, 8);
  const facts = Object.entries(others)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => `${wordsOf(name)} ${value}`);
  const shown = facts.length === 0 ? '' : ` (${facts.join(', ')})`;
  const why = reason === undefined || reason === null ? '' : `: ${reason}`;
  const what = advice === undefined || advice === null ? '' : `; ${advice}`;
  return `${time} ${WORD[level]}: ${event}${shown}${why}${what}`;
}

/** Returns the name of a field in words: `delay ms` for `delayMs`. */
function wordsOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
