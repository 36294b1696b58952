/**
 * Writes the documents that are generated from the code. Run it with `npm run docs`. A test checks that the
 * documents are up to date.
 */
import { writeFileSync } from 'node:fs';
import { generatedDocs } from './generated-docs.ts';

for (const { file, content } of await generatedDocs()) writeFileSync(file, content);
