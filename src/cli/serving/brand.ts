/** Reads the brand of the settings, with the file of the logo. */
import { readFileSync } from 'node:fs';
import { systemCode, UsageError } from '../../base/mod.ts';
import { type Brand, readLogo } from '../../serve/mod.ts';
import type { Config } from '../settings/mod.ts';

export function openBrand({ brand }: Pick<Config, 'brand'>): Brand {
  return { ...brand, logo: brand.logo === '' ? null : readLogo(readFile(brand.logo), brand.logo) };
}

function readFile(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw new UsageError('bad-logo', `brand.logo: cannot read ${path} (${systemCode(cause)})`, { cause });
  }
}
