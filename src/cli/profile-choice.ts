/**
 * Chooses the ranking profile of a command: the one given by a flag, the one that `gyre tune --install` saved
 * in the data directory, or the default.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Directory, parseSealedJson, sealJson, UsageError } from '../base/mod.ts';
import { builtInProfile, DEFAULT_PROFILE, PROFILE_NAMES, type Profile, readProfile } from '../scoring/mod.ts';
import type { OwnFlag } from './arguments.ts';

const INSTALLED = 'profile.json';

export const PROFILE_FLAG: OwnFlag = {
  name: 'profile',
  kind: 'string',
  value: 'NAME|FILE',
  help: `ranking profile: ${PROFILE_NAMES.join(', ')}, or a JSON file`,
};

export function chooseProfile(root: Directory, named: string | undefined): Profile {
  if (named === undefined) return root.has(INSTALLED) ? installedProfile(root) : DEFAULT_PROFILE;
  const known = PROFILE_NAMES.find((name) => name === named);
  if (known) return builtInProfile(known);
  if (!existsSync(named)) {
    const names = PROFILE_NAMES.join(', ');
    throw new UsageError(
      'no-profile',
      `unknown profile "${named}": expected one of ${names}, or a JSON file`,
    );
  }
  return readProfile(named);
}

/**
 * Reads the profile that `gyre tune --install` saved. A profile without a checksum is accepted, because it may have
 * been edited by hand.
 */
function installedProfile(root: Directory): Profile {
  const file = join(root.path, INSTALLED);
  const advice =
    'if you edited it, remove the key "checksum"; otherwise delete it or run gyre tune --install';
  parseSealedJson(root.read(INSTALLED), { file, keys: Object.keys(DEFAULT_PROFILE), advice });
  return readProfile(file);
}

/** Saves a ranking profile in the data directory, where it replaces the default profile from the next start. */
export function installProfile(root: Directory, profile: Profile): void {
  root.replace(INSTALLED, sealJson(profile));
}
