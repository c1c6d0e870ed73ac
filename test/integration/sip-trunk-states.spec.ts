import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { SipTrunkState } from '../../src/modules/phone-numbers/trunk-connections/sip-trunk-state.entity.js';
import { SipTrunkStatesRepository } from '../../src/modules/phone-numbers/trunk-connections/sip-trunk-states.repository.js';
import { TestApp } from '../support/app.js';
import { createSipTrunk } from '../support/builders.js';

describe('the states of SIP trunks', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await TestApp.start();
  }, 60_000);
  afterAll(() => app.stop());

  it('are written where they are new or have changed, and not otherwise', async () => {
    const owner = await app.account();
    const { userId } = owner;
    await createSipTrunk(app, owner);
    const [trunk] = await app.query<{ id: number }>('SELECT id FROM sip_trunks WHERE user_id = $1', [userId]);
    const trunkId = trunk?.id ?? 0;
    const states = app.app.get(SipTrunkStatesRepository, { strict: false });
    const save = async (changes: Partial<SipTrunkState>) => {
      const state = { trunkId, userId, inboundId: 'in', outboundId: 'out', registration: null, reason: null };
      await states.save([{ ...state, reachable: null, ...changes }]);
      const [row] = await app.query<{ version: string; reachable: boolean | null }>(
        'SELECT ctid::text AS version, reachable FROM sip_trunk_states WHERE trunk_id = $1',
        [trunkId],
      );
      return row;
    };

    const first = await save({});
    expect(first?.reachable).toBeNull();
    expect(await save({})).toEqual(first);
    const second = await save({ reachable: true });
    expect(second?.reachable).toBe(true);
    expect(await save({ reachable: true })).toEqual(second);
  });
});
