/** Chooses the ranking profile of a command or a search. */
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Directory, UsageError } from '../../base/mod.ts';
import {
  builtInProfile,
  DEFAULT_PROFILE,
  PROFILE_NAMES,
  type Profile,
  readProfile,
} from '../../scoring/mod.ts';
import { commandFor } from '../advice.ts';
import type { OwnFlag } from '../arguments.ts';
import { failsGate } from './evaluation-record.ts';
import { profileFile, readHistory, readStored, stackOf, storedNames } from './stored-profiles.ts';

/** The file in which versions before the gate saved a profile. It is never searched with. */
export const FORMER_FILE = 'profile.json';
/** The folder with the judgements of the relevance desk. */
export const JUDGEMENTS = 'judgements';

export const PROFILE_FLAG: OwnFlag = {
  name: 'profile',
  kind: 'string',
  value: 'NAME|FILE',
  help: `ranking profile: ${PROFILE_NAMES.join(', ')}, one of the data directory, or a JSON file`,
};

/** Returns a profile to try out. It need not have passed the gate. */
export function chooseProfile(root: Directory, named: string): Profile {
  const known = PROFILE_NAMES.find((name) => name === named);
  if (known) return builtInProfile(known);
  const stored = readStored(root, named);
  if (stored) return stored.profile;
  if (!existsSync(named) || !statSync(named).isFile()) {
    const names = [...PROFILE_NAMES, ...storedNames(root)].join(', ');
    throw new UsageError(
      'no-profile',
      `unknown profile "${named}": expected one of ${names}, or a JSON file`,
    );
  }
  return readProfile(named);
}

/**
 * Returns the profile that searches use: the one that the setting `serve.profile` names or, if it is empty, the one that
 * was published last. Throws if the profile has not passed the gate.
 */
export function profileInForce(root: Directory, setting: string): Profile {
  if (setting === '' && root.has(FORMER_FILE))
    throw unverified(root, join(root.path, FORMER_FILE), 'has no evaluation');
  return verifiedProfile(root, setting === '' ? stackOf(readHistory(root)).at(-1)! : setting);
}

/** Returns a profile that has passed the gate; throws with the command that evaluates and publishes it if it has not. */
export function verifiedProfile(root: Directory, name: string): Profile {
  if (name === DEFAULT_PROFILE.name) return DEFAULT_PROFILE;
  const stored = readStored(root, name);
  if (!stored) {
    const known = PROFILE_NAMES.some((builtIn) => builtIn === name);
    if (known) throw unverified(root, name, 'is a built-in profile without an evaluation on this data');
    const names = [DEFAULT_PROFILE.name, ...storedNames(root)].join(', ');
    throw new UsageError(
      'no-profile',
      `no profile "${name}" in ${root.path}: expected one of ${names} as serve.profile`,
    );
  }
  const { profile, evaluation } = stored;
  const file = profileFile(root, name);
  if (!evaluation) throw unverified(root, file, 'has no evaluation, or has changed since');
  if (failsGate(evaluation.comparison, evaluation.queries))
    throw unverified(root, file, `was evaluated as worse than ${evaluation.baseline.name}`);
  return profile;
}

function unverified(root: Directory, profile: string, why: string): UsageError {
  const files = root.has(JUDGEMENTS) ? '' : ' --queries FILE --qrels FILE';
  const command = `${commandFor('eval', root.path)} --profile ${profile} --publish${files}`;
  const other = profile.endsWith(FORMER_FILE) ? 'delete the file' : 'roll back with gyre eval --roll-back';
  return new UsageError(
    'unverified-profile',
    `the ranking profile ${profile} ${why}, so searches refuse it: run ${command}, or ${other}`,
  );
}
