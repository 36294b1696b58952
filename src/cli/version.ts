/** The product's name and version, from package.json. */
import { readFileSync } from 'node:fs';

const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

export const PRODUCT = 'Gyre';
export const VERSION = manifest.version;
