/** The inputs that failed once. They are kept as files, one folder for each target, and are run again as seeds. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const CRASHERS = join(import.meta.dirname, 'crashers');

export function crashersOf(target: string): Buffer[] {
  const folder = join(CRASHERS, target);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .sort()
    .map((name) => readFileSync(join(folder, name)));
}
