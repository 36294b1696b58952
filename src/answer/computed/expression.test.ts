import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testSeed } from '../../../test/helpers/seed.ts';
import { Random } from '../../base/mod.ts';
import { calculate } from './expression.ts';
import { CalculationError, formatFraction, toNumber } from './fraction.ts';

test('random sums and products equal those of JavaScript', () => {
  const seed = testSeed();
  const random = new Random(seed);
  for (let round = 0; round < 500; round++) {
    const [a, b, c] = [random.below(2000) - 1000, random.below(2000) - 1000, random.below(999) + 1];
    const value = calculate(`(${a} + ${b}) * ${c} - ${a} / ${c}`);
    const expected = (a + b) * c - a / c;
    assert.ok(Math.abs(toNumber(value) - expected) < 1e-6, `seed ${seed}: ${a} ${b} ${c}`);
    assert.equal(
      formatFraction(calculate(`${a} * ${b}`))
        .replace('−', '-')
        .replaceAll(',', ''),
      String(a * b || 0),
    );
  }
});

test('any expression is evaluated or rejected in short time', () => {
  const seed = testSeed();
  const random = new Random(seed);
  const signs = [...'0123456789.,+-*/^%!()°√ ', 'sqrt', 'log', 'choose', 'mod', 'pi', '0x', 'e', '999!'];
  for (let round = 0; round < 500; round++) {
    const expression = Array.from({ length: random.between(1, 30) }, () => random.pick(signs)).join('');
    try {
      assert.match(formatFraction(calculate(expression)), /^[≈ −\d,.×^-]+$/u, `seed ${seed}: ${expression}`);
    } catch (error) {
      assert.ok(error instanceof CalculationError, `seed ${seed}: ${expression}: ${error}`);
    }
  }
});
