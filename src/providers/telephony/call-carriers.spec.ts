import { beforeEach, describe, expect, it } from '@jest/globals';
import { SystemClock } from '../../common/time/clock.js';
import { AbsentCarrier } from './absent-carrier.js';
import type { CallCarrier } from './call-carrier.js';
import { CallCarriers } from './call-carriers.js';
import { SandboxCallCarrier } from './sandbox/sandbox-call-carrier.js';
import { MemoryJournal } from './sandbox/sandbox-journal.js';

function carrierNamed(name: string): CallCarrier {
  const sandbox = new SandboxCallCarrier({ clock: new SystemClock(), journal: new MemoryJournal() });
  return Object.assign(sandbox, { name });
}

const UNPROVEN = { verifiedAt: null, verifiedBy: null } as const;

function reachingPeople(name: string): CallCarrier {
  const carrier = carrierNamed(name);
  return Object.assign(carrier, { capabilities: { ...carrier.capabilities, reachesPeople: true } });
}

describe('the carriers of an installation', () => {
  let carriers: CallCarriers;

  beforeEach(() => {
    carriers = new CallCarriers(carrierNamed('sandbox'));
    carriers.add(carrierNamed('sip'), ({ type }) => type === 'sip');
    carriers.add(carrierNamed('web'), () => false);
  });

  it.each([
    ['a number behind a trunk', { id: 1, type: 'sip', carrierAccountId: null, ...UNPROVEN }, 'sip'],
    ['a rented number', { id: 2, type: 'normal', carrierAccountId: null, ...UNPROVEN }, 'sandbox'],
    ['no number at all', null, 'sandbox'],
  ] as const)('are chosen by the number: %s', (_what, number, name) => {
    expect(carriers.of(number).name).toBe(name);
  });

  it('are found again by the name that a call keeps', () => {
    expect(carriers.named('web').name).toBe('web');
    expect(carriers.all.map(({ name }) => name)).toEqual(['sip', 'web', 'sandbox']);
  });

  it('call for an account with its own credentials under a name of its own, which leads back to them', () => {
    const rented = { id: 3, type: 'normal', carrierAccountId: 'b1', ...UNPROVEN } as const;
    // Not even the sandbox takes the place of a carrier that is not set up any more.
    expect(carriers.of(rented)).toBeInstanceOf(AbsentCarrier);

    const ofAccount = (id: string) => carrierNamed(`network:${id}`);
    carriers.add(Object.assign(carrierNamed('network'), { ofAccount }), ({ type }) => type === 'normal');
    const own = carriers.of(rented);
    expect([own.name, own.family]).toEqual(['network:b1', 'network']);
    expect(carriers.named('network:b1').name).toBe('network:b1');
    expect(carriers.named('network').name).toBe('network');
    expect(carriers.named('sip:b1')).toBeInstanceOf(AbsentCarrier);
  });

  it('accept a verification by the sandbox only while no carrier reaches real telephones', () => {
    const number = { verifiedAt: new Date(), verifiedBy: 'sandbox' };
    expect(carriers.isVerified(number)).toBe(true);
    expect(carriers.isVerified(UNPROVEN)).toBe(false);
    carriers.add(reachingPeople('network'), null);
    expect(carriers.isVerified(number)).toBe(false);
    expect(carriers.isVerified({ ...number, verifiedBy: 'network' })).toBe(true);
    // A number that this carrier has verified stays verified.
    expect(carriers.isVerified({ ...number, verifiedBy: 'gone' })).toBe(true);
  });

  it('use a caller ID once it is verified, and not one verified by the sandbox next to real carriers', () => {
    const callerId = { id: 4, type: 'caller_id', carrierAccountId: null } as const;
    const by = (verifiedBy: string) => ({ ...callerId, verifiedAt: new Date(), verifiedBy });
    expect(carriers.of(by('sandbox')).name).toBe('sandbox');
    expect(carriers.of({ ...callerId, ...UNPROVEN })).toBeInstanceOf(AbsentCarrier);
    carriers.add(reachingPeople('trunks'), ({ type }) => type === 'sip');
    expect(carriers.of(by('trunks'))).toBeInstanceOf(AbsentCarrier);
    carriers.add(reachingPeople('network'), ({ type }) => type !== 'sip');
    expect(carriers.of(by('network')).name).toBe('network');
    expect(carriers.of(by('sandbox'))).toBeInstanceOf(AbsentCarrier);
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
