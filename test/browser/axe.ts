/** axe, the checker of accessibility rules, inside the page that a test looks at. */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import type { Page, ViewportSize } from 'playwright-core';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

interface Violation {
  id: string;
  help: string;
  nodes: { html: string }[];
}

/** Fails with what axe found. Runs beside the page's policy, which lets no script in. */
export async function checkAccessibility(page: Page, viewport?: ViewportSize): Promise<void> {
  if (viewport) await page.setViewportSize(viewport);
  if (!(await page.evaluate("'axe' in globalThis"))) await page.addScriptTag({ path: AXE });
  const options = { runOnly: { type: 'tag', values: TAGS } };
  const run = `axe.run(document, ${JSON.stringify(options)}).then(({ violations, passes }) => ({ violations, passed: passes.length }))`;
  const { violations, passed } = (await page.evaluate(run)) as { violations: Violation[]; passed: number };
  const found = violations.map(
    ({ id, help, nodes }) => `${id}: ${help}\n  ${nodes.map(({ html }) => html).join('\n  ')}`,
  );
  assert.deepEqual(found, []);
  assert.ok(passed > 10, 'axe looked at something');
}
