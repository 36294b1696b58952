/**
 * The ranking profiles of a data directory, and which of them is in force.
 *
 *   profiles/NAME.json   a profile with the record of its evaluation (evaluation-record.ts), sealed
 *   profiles.json        {"format":1,"history":[{"at":…,"who":…,"action":"publish","profile":"tuned"}],"checksum":…}
 *
 * A profile file without a record, or whose numbers have changed since the evaluation, is only a candidate: commands can
 * try it, but searches refuse it. A built-in profile has a file too after it was published, except `default`, which is
 * always permitted.
 *
 * In `history`, `publish` puts a profile in force and `roll-back` takes the last one back. A profile is in force if it is
 * on top of this stack; if the stack is empty, `default` is in force.
 */
import { join } from 'node:path';
import {
  acquireLock,
  CorruptError,
  type Directory,
  directoryAt,
  GyreError,
  messageOf,
  openDirectory,
  parseSealedJson,
  sealJson,
  UsageError,
} from '../../base/mod.ts';
import {
  builtInProfile,
  DEFAULT_PROFILE,
  PROFILE_NAMES,
  type Profile,
  profileDigest,
  readProfileText,
} from '../../scoring/mod.ts';
import { type EvaluationRecord, recordIn } from './evaluation-record.ts';

const FOLDER = 'profiles';
/** The file with the history of publications. */
export const HISTORY = 'profiles.json';
const FORMAT = 1;
const NAME = /^[a-z0-9][a-z0-9._-]{0,39}$/;

export interface StoredProfile {
  profile: Profile;
  /** The record of the evaluation; null if there is none, or the profile has changed since. */
  evaluation: EvaluationRecord | null;
}

interface HistoryEntry {
  at: string;
  who: string;
  action: 'publish' | 'roll-back';
  /** The name of the profile that is in force from then on. */
  profile: string;
}

/** Returns the path of the file of a profile. */
export function profileFile(root: Directory, name: string): string {
  return join(root.path, FOLDER, `${name}.json`);
}

/** Returns the names of the profiles that have a file, sorted. */
export function storedNames(root: Directory): string[] {
  if (!root.has(FOLDER)) return [];
  const names = directoryAt(join(root.path, FOLDER)).list();
  return names.flatMap((file) => {
    const name = file.endsWith('.json') ? file.slice(0, -'.json'.length) : '';
    return NAME.test(name) ? [name] : [];
  });
}

/** Reads a profile of the data directory; null if it has no file. Throws if the file is no profile. */
export function readStored(root: Directory, name: string): StoredProfile | null {
  if (!NAME.test(name) || !storedNames(root).includes(name)) return null;
  const file = profileFile(root, name);
  const bytes = directoryAt(join(root.path, FOLDER)).read(`${name}.json`);
  const value = parseSealedJson(bytes, {
    file,
    keys: [...Object.keys(DEFAULT_PROFILE), 'evaluation'],
    advice: 'if you edited it, remove the key "checksum"; otherwise delete it',
  });
  const profile = readProfileText(JSON.stringify(value), file);
  if (profile.name !== name)
    throw new UsageError('bad-profile', `${file}: expected "name": "${name}", got "${profile.name}"`);
  const evaluation = recordIn(value.evaluation);
  return { profile, evaluation: evaluation?.digest === profileDigest(profile) ? evaluation : null };
}

/** Returns the history, the oldest entry first. */
export function readHistory(root: Directory): HistoryEntry[] {
  if (!root.has(HISTORY)) return [];
  const file = join(root.path, HISTORY);
  const advice = 'delete the file, and publish a profile again';
  const { format, history } = parseSealedJson(root.read(HISTORY), {
    file,
    keys: ['format', 'history'],
    advice,
  });
  if (format !== FORMAT || !Array.isArray(history))
    throw new CorruptError(file, 0, `a history of format ${FORMAT}`, `format ${format}`, advice);
  return history as HistoryEntry[];
}

/** Returns the names of the published profiles that were not taken back, the one in force last. */
export function stackOf(history: readonly HistoryEntry[]): string[] {
  const stack = [DEFAULT_PROFILE.name];
  for (const { action, profile } of history)
    if (action === 'publish') stack.push(profile);
    else if (stack.length > 1) stack.pop();
  return stack;
}

/** Puts a profile in force. The caller has checked that it passes the gate. */
export function storePublished(root: Directory, profile: Profile, evaluation: EvaluationRecord): void {
  const { name } = profile;
  checkProfileName(root, profile);
  change(root, (history) => {
    if (name !== DEFAULT_PROFILE.name)
      openDirectory(join(root.path, FOLDER)).replace(`${name}.json`, sealJson({ ...profile, evaluation }));
    return [...history, { at: evaluation.at, who: evaluation.who, action: 'publish', profile: name }];
  });
}

/** Takes the last publication back. Returns the name of the profile that is in force then. */
export function rollBack(root: Directory, who: string, now: number): string {
  let name = '';
  change(root, (history) => {
    const stack = stackOf(history);
    if (stack.length === 1)
      throw new UsageError('no-history', 'no profile was published, so there is none to roll back');
    name = stack.at(-2)!;
    const at = new Date(now).toISOString();
    return [...history, { at, who, action: 'roll-back', profile: name }];
  });
  return name;
}

/** Returns a name that no profile has: `base`, or `base-2` and so on. */
export function freeName(root: Directory, base: string): string {
  const taken = new Set<string>([...PROFILE_NAMES, ...storedNames(root)]);
  for (let number = 1; ; number++) {
    const name = number === 1 ? base : `${base}-${number}`;
    if (!taken.has(name)) return name;
  }
}

/** Rejects names that cannot be file names, and those of other profiles. */
function checkProfileName(root: Directory, profile: Profile): void {
  const { name } = profile;
  if (!NAME.test(name))
    throw new UsageError(
      'bad-profile',
      `expected a name of lower-case letters, digits, ".", "_" and "-" as "name" of the profile, got "${name}"`,
    );
  const builtIn = PROFILE_NAMES.find((known) => known === name);
  const owner = builtIn ? builtInProfile(builtIn) : publishedOrNull(root, name);
  if (owner && profileDigest(owner) !== profileDigest(profile))
    throw new UsageError(
      'name-taken',
      `there is another profile with the name "${name}": change "name" in the file of the profile`,
    );
}

function publishedOrNull(root: Directory, name: string): Profile | null {
  try {
    const stored = readStored(root, name);
    return stored?.evaluation ? stored.profile : null;
  } catch (error) {
    if (!(error instanceof GyreError)) throw error;
    return null;
  }
}

function change(root: Directory, next: (history: HistoryEntry[]) => HistoryEntry[]): void {
  const lock = acquireLock(root, 'profiles', 'gyre eval, gyre tune or the relevance desk');
  try {
    root.replace(HISTORY, sealJson({ format: FORMAT, history: next(readHistory(root)) }));
  } finally {
    lock.release();
  }
}

/** Describes the profile file of a name for lists; a file that is no profile gives its problem. */
export function describeStored(
  root: Directory,
  name: string,
): { stored: StoredProfile } | { problem: string } {
  try {
    return { stored: readStored(root, name)! };
  } catch (error) {
    if (!(error instanceof GyreError)) throw error;
    return { problem: messageOf(error) };
  }
}
