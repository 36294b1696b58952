/** Preloaded by a node whose clock is wrong: shifts the time of day by GYRE_TEST_CLOCK_MS. */
const shiftMs = Number(process.env.GYRE_TEST_CLOCK_MS);
const now = Date.now;
Date.now = () => now() + shiftMs;
globalThis.Date = new Proxy(Date, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [target.now()] : args, newTarget),
});
