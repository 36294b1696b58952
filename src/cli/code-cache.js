/**
 * Turns on Node's cache of compiled code; started with `--import`, before any other file and in every thread.
 * JavaScript, because what strips types takes 28 MB and most of a start in each thread, and code that is in the cache
 * does not need it. The cache is `.cache/` beside `src/`; it may be deleted at any time. Where nothing can be written there
 * is none, and all goes on without.
 */
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

enableCompileCache(join(import.meta.dirname, '..', '..', '.cache'));
