/** Runs axe, the accessibility checker, inside the page under test. */
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

/**
 * Fails with the violations that axe found. The script of axe bypasses the Content-Security-Policy of the
 * page, which would block it.
 */
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
