/** Writes the documents that are made from the code. `npm run docs`; a test compares them. */
import { writeFileSync } from 'node:fs';
import { generatedDocs } from './generated-docs.ts';

for (const { file, content } of generatedDocs()) writeFileSync(file, content);
