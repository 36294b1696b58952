/**
 * Code shared by several commands: opens a crawl, an index, a searcher or an import over a data directory, and
 * closes them in the right order. Commands and threads import the files of this shelf directly, because each
 * file loads a different part of the engine.
 */

export {};
