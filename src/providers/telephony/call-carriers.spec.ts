import { beforeEach, describe, expect, it } from '@jest/globals';
import { SystemClock } from '../../common/time/clock.js';
import type { CallCarrier } from './call-carrier.js';
import { CallCarriers } from './call-carriers.js';
import { SandboxCallCarrier } from './sandbox/sandbox-call-carrier.js';
import { MemoryJournal } from './sandbox/sandbox-journal.js';

function carrierNamed(name: string): CallCarrier {
  const sandbox = new SandboxCallCarrier({ clock: new SystemClock(), journal: new MemoryJournal() });
  return Object.assign(sandbox, { name });
}

describe('the carriers of an installation', () => {
  let carriers: CallCarriers;

  beforeEach(() => {
    carriers = new CallCarriers(carrierNamed('sandbox'));
    carriers.add(carrierNamed('sip'), ({ type }) => type === 'sip');
    carriers.add(carrierNamed('web'), () => false);
  });

  it.each([
    ['a number behind a trunk', { id: 1, type: 'sip' }, 'sip'],
    ['a rented number', { id: 2, type: 'normal' }, 'sandbox'],
    ['no number at all', null, 'sandbox'],
  ] as const)('are chosen by the number: %s', (_what, number, name) => {
    expect(carriers.of(number).name).toBe(name);
  });

  it('are found again by the name that a call keeps', () => {
    expect(carriers.named('web').name).toBe('web');
    expect(carriers.all.map(({ name }) => name)).toEqual(['sip', 'web', 'sandbox']);
  });

  it('have names of their own', () => {
    expect(() => carriers.add(carrierNamed('sip'), () => true)).toThrow('two carriers of the name sip');
  });

  it('know no call of one that was taken away, whose line is gone', async () => {
    const gone = carriers.named('gone');
    expect(gone).toMatchObject({ name: 'gone', capabilities: { reattachable: false, inbound: false } });
    expect(await gone.findCall('key')).toEqual({ found: 'unknown' });
    for (const deed of [gone.hangUp('a'), gone.watch('a').next(), gone.accept('a')]) {
      await expect(deed).rejects.toMatchObject({ code: 'no-such-call', sent: 'no' });
    }
  });
});
