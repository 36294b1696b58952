/**
 * Writes the documents that are generated from the code. Run it with `npm run docs`; a test compares the
 * documents.
 */
import { writeFileSync } from 'node:fs';
import { generatedDocs } from './generated-docs.ts';

for (const { file, content } of generatedDocs()) writeFileSync(file, content);
