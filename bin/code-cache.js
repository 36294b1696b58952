/**
 * Enables Node's compile cache; loaded with `--import`, before any other file and in every thread. This file
 * is JavaScript because Node's type stripper takes 28 MB and most of the start-up time in each thread, and
 * cached code does not need it. The cache is `.cache/` beside `bin/` and may be deleted at any time. If it
 * cannot be written, the program runs without a cache.
 */
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

enableCompileCache(join(import.meta.dirname, '..', '.cache'));
