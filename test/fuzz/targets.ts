/** The table of targets: every parser of bytes that come from outside. */
import type { FuzzTarget } from './target.ts';
import { ARCHIVE_TARGETS } from './targets/archive.ts';
import { DOCUMENT_TARGETS } from './targets/documents.ts';
import { MESSAGE_TARGETS } from './targets/messages.ts';
import { QUERY_TARGETS } from './targets/queries.ts';
import { SERVER_TARGETS } from './targets/server.ts';
import { SETTING_TARGETS } from './targets/settings.ts';
import { STORAGE_TARGETS } from './targets/storage.ts';
import { STORED_FILE_TARGETS } from './targets/stored-files.ts';
import { WEB_TARGETS } from './targets/web.ts';

export const FUZZ_TARGETS: readonly FuzzTarget[] = [
  ...DOCUMENT_TARGETS,
  ...WEB_TARGETS,
  ...ARCHIVE_TARGETS,
  ...STORAGE_TARGETS,
  ...STORED_FILE_TARGETS,
  ...QUERY_TARGETS,
  ...SETTING_TARGETS,
  ...SERVER_TARGETS,
  ...MESSAGE_TARGETS,
];
