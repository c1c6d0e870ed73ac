import { describe, expect, it } from '@jest/globals';
import type { CallControls, MemberTransferOutcome, Transfer } from '../../tools/call-controls.js';
import { callTools } from './call-tools.js';

const SPEC = {
  type: 'warm_call_transfer',
  target: { type: 'members', role: 'operator' },
  description: 'When they ask for a person',
  hold_message: 'One moment.',
  hold_music: 'hold_music',
  hold_music_volume: 40,
  summary_instructions: 'Be short.',
};
const SUPERVISOR = { supervisor_phone: '+5511987654321', outbound_phone_id: 7 };

/** A line on which an offer ends as the test says. */
function lineOn(offered: MemberTransferOutcome) {
  const transfers: Transfer[] = [];
  const offers: unknown[] = [];
  const call = {
    numbers: new Map([[7, '+551155500077']]),
    transferToMember: async (offer: unknown) => {
      offers.push(offer);
      return offered;
    },
    transfer: async (transfer: Transfer) => {
      transfers.push(transfer);
      return 'answered' as const;
    },
  } as unknown as CallControls;
  return { call, transfers, offers };
}

async function run(spec: typeof SPEC, call: CallControls) {
  const [tool] = callTools([spec]);
  const { result, effect } = await tool!.run(
    {},
    { call, variables: {}, signal: new AbortController().signal },
  );
  return { result, effect };
}

describe('a warm transfer to people of the account', () => {
  it('offers them the call, and leaves the rest to who accepts', async () => {
    const { call, offers, transfers } = lineOn('accepted');
    expect(await run({ ...SPEC, ...SUPERVISOR }, call)).toEqual({
      result: { transferred: true },
      effect: 'acted-on-line',
    });
    expect(offers).toEqual([
      { role: 'operator', holdMessage: 'One moment.', holdMusicVolume: 40, summaryInstructions: 'Be short.' },
    ]);
    expect(transfers).toEqual([]);
  });

  it.each(['unavailable', 'declined', 'no-answer', 'failed'] as const)(
    'calls the supervisor after %s',
    async (offered) => {
      const { call, transfers } = lineOn(offered);
      expect((await run({ ...SPEC, ...SUPERVISOR }, call)).result).toEqual({ transferred: true });
      expect(transfers).toEqual([
        expect.objectContaining({ kind: 'warm', to: '+5511987654321', outboundPhoneId: 7 }),
      ]);
    },
  );

  it.each([
    ['unavailable', 'no colleague is available now', 'is on the line with you'],
    ['declined', 'no colleague took the call', 'is back on the line with you'],
    ['no-answer', 'no colleague took the call', 'is back on the line with you'],
    ['failed', 'failed', 'is back on the line with you'],
  ] as const)(
    'tells the model the truth after %s where there is no supervisor',
    async (offered, reason, customer) => {
      const { call, transfers } = lineOn(offered);
      expect(await run(SPEC, call)).toEqual({
        result: { transferred: false, reason, customer },
        effect: undefined,
      });
      expect(transfers).toEqual([]);
    },
  );

  it('asks no person where the target is the supervisor', async () => {
    const { call, offers, transfers } = lineOn('accepted');
    const { target: _target, ...spec } = SPEC;
    await run({ ...spec, ...SUPERVISOR } as unknown as typeof SPEC, call);
    expect([offers, transfers.length]).toEqual([[], 1]);
  });
});
