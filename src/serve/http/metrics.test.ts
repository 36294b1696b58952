import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RequestMetrics, renderGauges } from './metrics.ts';

test('histogram buckets are cumulative, and the last one has all requests', () => {
  const metrics = new RequestMetrics();
  for (const seconds of [0.0005, 0.001, 0.003, 0.2, 60]) metrics.observe('/a', 200, seconds);
  const text = metrics.render();
  const name = 'gyre_http_request_duration_seconds';
  for (const [bound, count] of [
    ['0.001', 2],
    ['0.0025', 2],
    ['0.005', 3],
    ['0.25', 4],
    ['2.5', 4],
    ['+Inf', 5],
  ]) {
    assert.ok(text.includes(`${name}_bucket{route="/a",le="${bound}"} ${count}\n`), String(bound));
  }
  assert.match(text, new RegExp(`${name}_sum{route="/a"} 60.2045`));
  assert.ok(text.includes(`${name}_count{route="/a"} 5\n`));
});

test('each metric has one heading with its type, and labels are escaped', () => {
  const text = renderGauges([
    { name: 'a_total', help: 'A.', value: 1, labels: { x: 'a "b" \\ \n' } },
    { name: 'b_bytes', help: 'B.', value: 2.5 },
  ]);
  const expected = '# HELP a_total A.\n# TYPE a_total counter\na_total{x="a \\"b\\" \\\\ \\n"} 1\n';
  assert.equal(text, `${expected}# HELP b_bytes B.\n# TYPE b_bytes gauge\nb_bytes 2.5\n`);
});
