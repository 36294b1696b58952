/**
 * Returns the number of finished journal files that are not in the index yet. The crawl waits if there are
 * too many.
 */

import type { Directory } from '../base/mod.ts';
import { readManifest } from '../index/mod.ts';
import { journalFiles } from '../journal/mod.ts';

export function journalBacklog(journal: Directory, index: Directory): number {
  return journalFiles(journal, readManifest(index).journal).length;
}
