/** Loads the profiles that come with Gyre, and profiles from other files. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Profile, parseProfile } from './profile.ts';
import { featureNames } from './score.ts';

/** The profiles that come with Gyre: the default, the BM25 baseline, and the published designs. */
export const PROFILE_NAMES = ['default', 'bm25', 'compass', 'yase', 'snippet'] as const;
export type ProfileName = (typeof PROFILE_NAMES)[number];

export function readProfile(path: string): Profile {
  return readProfileText(readFileSync(path, 'utf8'), path);
}

/** Parses a profile. `source` is the file name for error messages. */
export function readProfileText(json: string, source: string): Profile {
  return parseProfile(json, source, featureNames);
}

export function builtInProfile(name: ProfileName): Profile {
  return readProfile(join(import.meta.dirname, 'profiles', `${name}.json`));
}

export const DEFAULT_PROFILE: Profile = builtInProfile('default');
