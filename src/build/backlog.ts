/** How far the index is behind the journal, in finished files; for whoever fills the journal. */
import { journalFiles } from '../archive/mod.ts';
import type { Directory } from '../base/mod.ts';
import { readManifest } from '../index/mod.ts';

export function journalBacklog(journal: Directory, index: Directory): number {
  return journalFiles(journal, readManifest(index).journal).length;
}
