/**
 * `settings.json` in the data directory: the settings that the operator has changed in the dashboard. They count more
 * than flags, environment and configuration file, because they were chosen later, and last until they are reset.
 *
 *   {"format":1,"settings":{"crawl.delay":"2s"},"checksum":…}
 *
 * Only live settings can be changed in this way (`isLive` in settings.ts).
 */
import { join } from 'node:path';
import { acquireLock, CorruptError, type Directory, parseSealedJson, sealJson } from '../../base/mod.ts';

const FILE = 'settings.json';
const FORMAT = 1;
const ADVICE = 'delete the file, and change the settings in the dashboard again';

/** Changed settings by key, with their values as in a configuration file. */
export type SettingChanges = Readonly<Record<string, unknown>>;

export function readChanges(root: Directory): SettingChanges {
  if (!root.has(FILE)) return {};
  const file = join(root.path, FILE);
  const { format, settings } = parseSealedJson(root.read(FILE), {
    file,
    keys: ['format', 'settings'],
    advice: ADVICE,
  });
  const isValid =
    format === FORMAT && typeof settings === 'object' && settings !== null && !Array.isArray(settings);
  if (!isValid) throw new CorruptError(file, 0, `settings of format ${FORMAT}`, `format ${format}`, ADVICE);
  return settings as SettingChanges;
}

/** Replaces the changes in one step. `undefined` as a value resets a setting. Processes wait for each other. */
export function changeSettings(root: Directory, change: (now: SettingChanges) => SettingChanges): void {
  const lock = acquireLock(root, 'settings', 'the dashboard');
  try {
    const settings = Object.fromEntries(
      Object.entries(change(readChanges(root))).filter(([, value]) => value !== undefined),
    );
    root.replace(FILE, sealJson({ format: FORMAT, settings }));
  } finally {
    lock.release();
  }
}
