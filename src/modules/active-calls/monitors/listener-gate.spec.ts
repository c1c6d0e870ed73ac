import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { ListenerGate } from './listener-gate.js';

const someone = () => true;

describe('the gate before a call is heard', () => {
  it('is open where no assistant is expected', async () => {
    expect(await new ListenerGate().pass(someone)).toBe(true);
  });

  it('is closed until the assistant that is expected has notified the customer', async () => {
    const gate = new ListenerGate();
    gate.expect();
    let passed: boolean | null = null;
    const done = gate.pass(someone).then((was) => (passed = was));
    await setImmediate();
    expect(passed).toBeNull();
    let notify: (was: boolean) => void = () => {};
    gate.use({ announce: () => new Promise((resolve) => (notify = resolve)) });
    await setImmediate();
    expect(passed).toBeNull();
    notify(true);
    await done;
    expect(passed).toBe(true);
  });

  it('opens when no assistant talks after all, and lets no person hear a call that is over', async () => {
    const gate = new ListenerGate();
    gate.expect();
    const first = gate.pass(someone);
    gate.use(null);
    expect(await first).toBe(true);
    gate.expect();
    const second = gate.pass(someone);
    gate.close();
    expect(await second).toBe(false);
  });
});
