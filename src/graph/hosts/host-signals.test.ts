import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../../base/mod.ts';
import { type LinkSignals, linkSignals, mostVouchedFor } from './host-signals.ts';

type Pair = [source: number, target: number];

/**
 * Computes the signals of hosts with the given links. Each host has its own domain unless `domainOf` is
 * given.
 */
function signalsOf(hostCount: number, pairs: readonly Pair[], domainOf?: Uint32Array): LinkSignals[] {
  const links = {
    sources: Uint32Array.from(pairs, ([source]) => source),
    targets: Uint32Array.from(pairs, ([, target]) => target),
  };
  const domains = domainOf ?? Uint32Array.from({ length: hostCount }, (_, host) => host);
  return linkSignals(hostCount, links, domains);
}

function bothWays(one: number, other: number): Pair[] {
  return [
    [one, other],
    [other, one],
  ];
}

/** Returns links in both directions between every two of the hosts from `from` up to `end`. */
function circle(from: number, end: number): Pair[] {
  const hosts = Array.from({ length: end - from }, (_, at) => from + at);
  return hosts.flatMap((one) =>
    hosts.filter((other) => other > one).flatMap((other) => bothWays(one, other)),
  );
}

/** Computes the signals with sets, by the definitions in the head comment of host-signals.ts. */
function naiveSignals(hostCount: number, pairs: readonly Pair[], domainOf: Uint32Array): LinkSignals[] {
  const between = pairs.filter(([source, target]) => domainOf[source] !== domainOf[target]);
  const hosts = Array.from({ length: hostCount }, (_, host) => host);
  const voters = hosts.map((host) => between.filter(([, to]) => to === host).map(([from]) => from));
  const linked = hosts.map((host) => between.filter(([from]) => from === host).map(([, to]) => to));
  const partners = hosts.map(
    (host) => new Set(voters[host]!.filter((other) => linked[host]!.includes(other))),
  );
  return hosts.map((host) => {
    const owners = voters[host]!.map((voter) => domainOf[voter]!);
    const couples = owners.flatMap((one, at) => owners.slice(0, at).map((other) => Number(one === other)));
    const likeness = [...partners[host]!].map((other) => {
      const mine = [...partners[host]!].filter((one) => one !== other);
      const theirs = [...partners[other]!].filter((one) => one !== host);
      const both = mine.filter((one) => theirs.includes(one)).length;
      return (both / Math.max(1, new Set([...mine, ...theirs]).size)) ** 2;
    });
    const share = partners[host]!.size / Math.max(1, owners.length);
    return {
      inHosts: owners.length,
      inDomains: new Set(owners).size,
      concentration: mean(couples),
      reciprocity: linked[host]!.length === 0 ? 0 : partners[host]!.size / linked[host]!.length,
      farm: likeness.length < 4 ? 0 : mean(likeness) * share,
    };
  });
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

test('on random links the signals equal their definition', () => {
  for (let seed = 1; seed <= 60; seed++) {
    const random = new Random(seed);
    const hostCount = random.between(1, 16);
    const domainOf = Uint32Array.from({ length: hostCount }, () => random.below(hostCount));
    const chance = random.next();
    const pairs: Pair[] = [];
    for (let source = 0; source < hostCount; source++)
      for (let target = 0; target < hostCount; target++)
        if (source !== target && random.chance(chance)) pairs.push([source, target]);
    pairs.sort(() => random.next() - 0.5);
    const expected = naiveSignals(hostCount, pairs, domainOf);
    signalsOf(hostCount, pairs, domainOf).forEach((signals, host) => {
      for (const name of Object.keys(signals) as (keyof LinkSignals)[]) {
        const difference = Math.abs(signals[name] - expected[host]![name]);
        const values = `${signals[name]}, expected ${expected[host]![name]}`;
        assert.ok(difference < 1e-9, `seed ${seed}, host ${host}: ${name} is ${values}`);
      }
    });
  }
});

test('a farm is distinguished from friends, from sites around a hub, and from hosts of one owner', () => {
  const farm = signalsOf(6, circle(0, 6));
  assert.deepEqual(
    farm.map((host) => host.farm),
    Array(6).fill(1),
  );
  const friends = signalsOf(4, circle(0, 4));
  assert.equal(friends[0]!.farm, 0);
  const hub = signalsOf(
    40,
    Array.from({ length: 39 }, (_, at) => bothWays(0, at + 1))
      .flat()
      .concat(circle(1, 4)),
  );
  assert.ok(hub[0]!.farm < 0.01, `${hub[0]!.farm}`);
  assert.ok(hub[1]!.farm < 0.1, `${hub[1]!.farm}`);
  const owned = signalsOf(6, circle(0, 6), new Uint32Array(6));
  assert.deepEqual([owned[0]!.farm, owned[0]!.inHosts], [0, 0]);
});

test('a farm does not hide behind links exchanged with a large neighbourhood', () => {
  const outside = Array.from({ length: 300 }, (_, at) => bothWays(6 + at, 6 + ((at + 1) % 300))).flat();
  const hidden = signalsOf(306, [...circle(0, 6), ...outside, ...bothWays(0, 6), ...bothWays(3, 100)]);
  assert.ok(hidden[0]!.farm > 0.5, `${hidden[0]!.farm}`);
  assert.ok(hidden[1]!.farm > 0.8, `${hidden[1]!.farm}`);
  assert.ok(hidden[6]!.farm < 0.1, `${hidden[6]!.farm}`);
});

test('a farm of hundreds of hosts is marked without comparing all pairs', () => {
  const [host] = signalsOf(300, circle(0, 300));
  assert.ok(host!.farm > 0.99);
});

test('trust does not start in a farm, however large', () => {
  const known = 30;
  const signals = signalsOf(40, [
    ...circle(0, 30),
    ...Array.from({ length: 9 }, (_, at): Pair => [31 + at, known]),
  ]);
  assert.ok(signals[0]!.inDomains > signals[known]!.inDomains);
  assert.deepEqual(mostVouchedFor(signals), [known]);
});
