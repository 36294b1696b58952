/**
 * Loads extractors from modules that the operator names. A module may export its extractors under any names;
 * other exports are ignored. Modules are JavaScript, or TypeScript that needs only type stripping.
 */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { messageOf, UsageError } from '../../base/mod.ts';
import type { Extractor } from './extractor.ts';

/**
 * Loads the extractors of the given modules, in the order of their paths. The paths are relative to the
 * working directory.
 */
export async function loadExtractors(paths: readonly string[]): Promise<Extractor[]> {
  const found: Extractor[] = [];
  for (const path of paths) found.push(...(await loadModule(path)));
  return found;
}

async function loadModule(path: string): Promise<Extractor[]> {
  let exported: Record<string, unknown>;
  try {
    exported = (await import(pathToFileURL(resolve(path)).href)) as Record<string, unknown>;
  } catch (cause) {
    throw new UsageError('bad-extractor', `cannot load the extractor ${path}: ${messageOf(cause)}`, {
      cause,
    });
  }
  const extractors = Object.values(exported).filter(isExtractor);
  if (extractors.length > 0) return extractors;
  throw new UsageError(
    'bad-extractor',
    `${path} exports no extractor: an object with a name and the functions matches and extract`,
  );
}

function isExtractor(value: unknown): value is Extractor {
  if (typeof value !== 'object' || value === null) return false;
  const { name, matches, extract } = value as Partial<Extractor>;
  return typeof name === 'string' && typeof matches === 'function' && typeof extract === 'function';
}
