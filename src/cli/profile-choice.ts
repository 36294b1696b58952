/**
 * Which ranking a command uses: the one that was named, the one that `gyre tune --install` left in the data
 * directory, or the default.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Directory, UsageError } from '../base/mod.ts';
import { builtInProfile, DEFAULT_PROFILE, PROFILE_NAMES, type Profile, readProfile } from '../rank/mod.ts';
import type { OwnFlag } from './arguments.ts';

const INSTALLED = 'profile.json';

export const PROFILE_FLAG: OwnFlag = {
  name: 'profile',
  kind: 'string',
  value: 'NAME|FILE',
  help: `how to rank: ${PROFILE_NAMES.join(', ')}, or a JSON file`,
};

export function chooseProfile(root: Directory, named: string | undefined): Profile {
  if (named === undefined)
    return root.has(INSTALLED) ? readProfile(join(root.path, INSTALLED)) : DEFAULT_PROFILE;
  const known = PROFILE_NAMES.find((name) => name === named);
  if (known) return builtInProfile(known);
  if (!existsSync(named)) {
    const names = PROFILE_NAMES.join(', ');
    throw new UsageError(
      'no-profile',
      `there is no profile "${named}": name one of ${names}, or a JSON file`,
    );
  }
  return readProfile(named);
}

/** From the next start on, this profile ranks in place of the default. */
export function installProfile(root: Directory, profile: Profile): void {
  root.replace(INSTALLED, Buffer.from(`${JSON.stringify(profile, null, 2)}\n`));
}
