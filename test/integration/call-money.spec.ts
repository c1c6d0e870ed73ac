import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LiveTurns } from '../../src/modules/active-calls/live-turns.js';
import { CallCompletionService } from '../../src/modules/call-completion/call-completion.service.js';
import { ActiveCallsService } from '../../src/modules/active-calls/active-calls.service.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { createAssistant } from '../support/builders.js';
import { phoneNumber } from '../support/campaign-builders.js';

const BALANCE_MICROS = 1_000_000;

/** Prices that are not whole for most durations. No call is dialled: the tests set the durations. */
describe('the money of a call', () => {
  let app: TestApp;
  let owner: TestAccount;

  beforeAll(async () => {
    app = await TestApp.start({
      CALL_PRICE_PER_MINUTE: '0.010007',
      CARRIER_PRICE_PER_MINUTE: '0.002003',
    });
  });
  afterAll(() => app.stop());

  async function callOf(maxDurationSeconds: number): Promise<number> {
    owner = await app.account({ balanceUsd: BALANCE_MICROS / 1_000_000 });
    const { id } = await createAssistant(app, owner, {
      type: 'outbound',
      max_duration: maxDurationSeconds,
      post_call_evaluation: false,
    });
    const { body } = await app
      .as(owner)
      .post('/api/user/make_call')
      .send({ phone_number: phoneNumber(1), assistant_id: id })
      .expect(200);
    return body.call_id;
  }

  const wallet = async () =>
    (
      await app.query(
        'SELECT balance_micros::int AS balance, held_micros::int AS held FROM wallets WHERE user_id = $1',
        [owner.userId],
      )
    )[0];

  async function talk(callId: number, seconds: number): Promise<void> {
    const found = await app.app.get(ActiveCallsService, { strict: false }).find(callId);
    if (!found) throw new Error('the call does not run');
    await app.app
      .get(CallCompletionService, { strict: false })
      .talked(
        found,
        { status: 'ended_by_customer', seconds, facts: {} },
        { token: null, turns: new LiveTurns() },
      );
  }

  it.each([
    // 166.78 and 33.38
    [1, 167, 34],
    // 9,840.22 and 1,969.62
    [59, 9_841, 1_970],
    [60, 10_007, 2_003],
    // 10,173.78 and 2,036.38
    [61, 10_174, 2_037],
  ])(
    'of %i s is both prices, each rounded up, on the call, in the ledger and in the wallet',
    async (seconds, ai, carrier) => {
      const callId = await callOf(600);
      await talk(callId, seconds);
      expect(
        await app.query(
          'SELECT ai_cost_micros::int AS ai, carrier_cost_micros::int AS carrier FROM calls WHERE id = $1',
          [callId],
        ),
      ).toEqual([{ ai, carrier }]);
      expect(
        await app.query(
          "SELECT amount_micros::int AS amount, reference FROM ledger_entries WHERE user_id = $1 AND kind = 'call'",
          [owner.userId],
        ),
      ).toEqual([{ amount: -(ai + carrier), reference: `call:${callId}` }]);
      expect(await wallet()).toEqual({ balance: BALANCE_MICROS - ai - carrier, held: 0 });
    },
  );

  it('is held for the longest it may last, and captured whole when it lasts that long', async () => {
    const callId = await callOf(61);
    expect(await wallet()).toEqual({ balance: BALANCE_MICROS, held: 12_211 });
    // The carrier counts the hang-up as a second of its own.
    await talk(callId, 62);
    expect(await wallet()).toEqual({ balance: BALANCE_MICROS - 12_211, held: 0 });
  });
});
