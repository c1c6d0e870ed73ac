import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Database } from '../../src/database/database.js';
import { ConcurrencySlotsRepository } from '../../src/modules/active-calls/concurrency-slots.repository.js';
import { CallHandoffsRepository } from '../../src/modules/active-calls/handoffs/call-handoffs.repository.js';
import { CallTurnsRepository } from '../../src/modules/calls/turns/call-turns.repository.js';
import { ActiveCallsRepository } from '../../src/modules/active-calls/active-calls.repository.js';
import { LineStatesRepository } from '../../src/modules/active-calls/line-states/line-states.repository.js';
import { OrphanedCallsRepository } from '../../src/modules/active-calls/orphaned-calls.repository.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { addCall, addRun } from '../support/call-rows.js';
import { createCampaign } from '../support/campaign-builders.js';
import { EARLIER, LATER, withFrozenNow } from '../support/frozen-now.js';

const MINE = randomUUID();
const ANOTHER = randomUUID();
const LEASE_MS = 15_000;
const LEASED = "now() + interval '15 seconds'";

let app: TestApp;
let owner: TestAccount;
let other: TestAccount;
let campaignId: number;

// Without the worker role no other process takes a lease.
beforeAll(async () => {
  app = await TestApp.start();
  owner = await app.account();
  other = await app.account();
  campaignId = await createCampaign(app, owner);
}, 60_000);
afterAll(() => app.stop());

describe('the run of a call', () => {
  async function addRunning(database: Database, set: string): Promise<number> {
    const callId = await addCall(database, owner.userId);
    await addRun(database, callId, owner.userId, set);
    return callId;
  }

  const STAGES = ['waiting', 'placing', 'open', 'evaluating'] as const;
  type Stage = (typeof STAGES)[number];
  const moves: readonly (readonly [
    string,
    readonly Stage[],
    (activeCalls: ActiveCallsRepository, id: number) => Promise<unknown>,
  ])[] = [
    ['is placed', ['waiting'], (activeCalls, id) => activeCalls.beginPlacingAll([id])],
    ['is given back to be placed', ['placing'], (activeCalls, id) => activeCalls.returnToWaiting(id)],
    [
      'is open',
      ['placing'],
      (activeCalls, id) =>
        activeCalls.markAllOpen([{ callId: id, carrierCallId: 'carrier', token: MINE }], LEASE_MS),
    ],
    [
      'is taken over by force',
      ['open'],
      (activeCalls, id) => activeCalls.takeLease(id, MINE, LEASE_MS, true),
    ],
  ];

  it.each(
    moves.flatMap(([title, from, move]) =>
      STAGES.map((stage) => [title, stage, from.includes(stage), move] as const),
    ),
  )('%s while it is %s: %p', async (_title, stage, isMoved, move) => {
    await withFrozenNow(app, async (database) => {
      const id = await addRunning(database, `stage = '${stage}', stage_since = ${EARLIER}`);
      const untouched = await addRunning(database, `stage = '${stage}', stage_since = ${EARLIER}`);
      const state = (of: number) =>
        database.query('SELECT stage, stage_since, lease_token FROM active_calls WHERE call_id = $1', [of]);
      const before = await state(id);
      await move(new ActiveCallsRepository(database), id);
      expect(JSON.stringify(await state(id)) !== JSON.stringify(before)).toBe(isMoved);
      expect(await state(untouched)).toEqual(before);
    });
  });

  it.each(STAGES.map((stage) => [stage, stage === 'waiting' || stage === 'placing'] as const))(
    'that is %s can be withdrawn: %p',
    async (stage, isWithdrawn) => {
      await withFrozenNow(app, async (database, tx) => {
        const id = await addRunning(database, `stage = '${stage}'`);
        expect(await new ActiveCallsRepository(database).withdraw(id, tx)).toEqual(
          isWithdrawn ? { holdId: null } : null,
        );
      });
    },
  );

  it.each([
    ['lease_until = NULL', true],
    [`lease_until = ${EARLIER}`, true],
    ['lease_until = now()', false],
    [`lease_until = ${LATER}`, false],
  ])('that is followed with %s can be adopted: %p', async (lease, isTaken) => {
    await withFrozenNow(app, async (database) => {
      const id = await addRunning(database, `stage = 'open', lease_token = '${ANOTHER}', ${lease}`);
      const activeCalls = new ActiveCallsRepository(database);
      expect(await activeCalls.takeLease(id, MINE, LEASE_MS, false)).toBe(isTaken);
      // And no process takes it a second time.
      expect(await activeCalls.takeLease(id, ANOTHER, LEASE_MS, false)).toBe(false);
      const [row] = await database.query(
        `SELECT lease_token, lease_until = ${LEASED} AS leased FROM active_calls`,
      );
      if (isTaken) expect(row).toEqual({ lease_token: MINE, leased: true });
      else expect(row).toMatchObject({ lease_token: ANOTHER });
    });
  });

  it.each([
    ['open', ANOTHER, true],
    // Another process was quicker, or the call is over.
    ['open', randomUUID(), false],
    ['evaluating', ANOTHER, false],
  ])('that is %s is taken from a dead process by one of two: %#', async (stage, token, isTaken) => {
    await withFrozenNow(app, async (database) => {
      const id = await addRunning(
        database,
        `stage = '${stage}', lease_token = '${token}', lease_until = ${LATER}, line_state = 'sealed',
         second_leg_number_id = 7`,
      );
      const lines = new LineStatesRepository(database);
      const line = { callId: id, userId: owner.userId, carrierCallId: 'carrier', leaseToken: ANOTHER };
      const gone = { ...line, isLapsed: false, voiceProcessId: null, address: null, isDraining: false };
      expect(await lines.takeFrom(gone, MINE, MINE, LEASE_MS)).toBe(isTaken);
      expect(await lines.takeFrom(gone, randomUUID(), ANOTHER, LEASE_MS)).toBe(false);
      expect(await lines.isElsewhere(id, ANOTHER)).toBe(isTaken);
      expect(await lines.isElsewhere(id, MINE)).toBe(false);
      // The process that had it writes nothing any more.
      expect(await lines.save(id, ANOTHER, 'of the dead')).toBe(false);
      expect(await lines.save(id, MINE, 'new')).toBe(isTaken);
      expect(await lines.find(id)).toBe(isTaken ? 'new' : 'sealed');
      // The second leg of a transfer died with the process, and takes no room on its trunk any more.
      const [row] = await database.query('SELECT second_leg_number_id AS leg FROM active_calls');
      expect(row).toEqual({ leg: isTaken ? null : 7 });
    });
  });

  it.each([
    [0, "now() - interval '29 seconds'", true],
    [30_000, "now() - interval '30 seconds'", false],
    [30_000, "now() - interval '30.001 seconds'", true],
  ])('is waited with for %i ms, with a lease until %s: %p', async (lapsedMs, until, isTaken) => {
    await withFrozenNow(app, async (database) => {
      const id = await addRunning(
        database,
        `stage = 'open', lease_token = '${ANOTHER}', lease_until = ${until}`,
      );
      const activeCalls = new ActiveCallsRepository(database);
      expect(await activeCalls.takeLease(id, MINE, LEASE_MS, false, lapsedMs)).toBe(isTaken);
    });
  });

  it.each([
    ['open', MINE, true],
    ['open', ANOTHER, false],
    ['evaluating', MINE, false],
  ])('that is %s under a token renews its lease for its own alone: %#', async (stage, token, isRenewed) => {
    await withFrozenNow(app, async (database) => {
      const id = await addRunning(
        database,
        `stage = '${stage}', lease_token = '${token}', lease_until = now()`,
      );
      const renewed = await new ActiveCallsRepository(database).renewLease(id, MINE, LEASE_MS);
      expect(renewed).toEqual(isRenewed ? { carrierCallId: null, isToEnd: false } : null);
      const [row] = await database.query<{ leased: boolean }>(
        `SELECT lease_until = ${LEASED} AS leased FROM active_calls`,
      );
      expect(row?.leased).toBe(isRenewed);
    });
  });

  it.each([
    ['open', MINE, true],
    ['open', ANOTHER, false],
    ['evaluating', MINE, false],
  ])('that is %s under a token takes the turns of its own alone: %#', async (stage, token, isTaken) => {
    await withFrozenNow(app, async (database) => {
      const id = await addRunning(
        database,
        `stage = '${stage}', lease_token = '${token}', lease_until = now()`,
      );
      const turns = new CallTurnsRepository(database);
      const said = (text: string, endMs: number) => {
        return {
          role: 'customer' as const,
          text,
          startMs: 100,
          endMs,
          interrupted: false,
          assistantId: null,
          assistantName: null,
          memberName: null,
        };
      };
      await turns.write(id, MINE, { position: 0, turns: [said('Oi', 200), said('Alô', 300)] });
      await turns.write(id, MINE, { position: 1, turns: [said('Alô?', 400)] });
      const kept = await database.query(
        'SELECT position, text, end_ms FROM call_turns WHERE call_id = $1 ORDER BY position',
        [id],
      );
      expect(kept).toEqual(
        isTaken
          ? [
              { position: 0, text: 'Oi', end_ms: 200 },
              { position: 1, text: 'Alô?', end_ms: 400 },
            ]
          : [],
      );
    });
  });

  it.each([
    ['open', MINE, true],
    ['open', ANOTHER, false],
    ['evaluating', MINE, false],
  ])('that is %s under a token is handed over by its own alone: %#', async (stage, token, isTaken) => {
    await withFrozenNow(app, async (database) => {
      const id = await addRunning(
        database,
        `stage = '${stage}', lease_token = '${token}', lease_until = now()`,
      );
      const handoffs = new CallHandoffsRepository(database);
      expect(await handoffs.write(id, MINE, { speakerId: 7, handoffs: 2 })).toBe(isTaken);
      expect(await handoffs.find(id)).toEqual(
        isTaken ? { speakerId: 7, handoffs: 2 } : { speakerId: null, handoffs: 0 },
      );
    });
  });

  it.each([
    [MINE, true],
    [ANOTHER, false],
  ])('is released only by its holder: %#', async (token, isReleased) => {
    await withFrozenNow(app, async (database) => {
      const id = await addRunning(
        database,
        `stage = 'open', lease_token = '${token}', lease_until = ${LATER}`,
      );
      await new ActiveCallsRepository(database).releaseLease(id, MINE);
      expect(await database.query('SELECT FROM active_calls WHERE lease_until = now()')).toHaveLength(
        isReleased ? 1 : 0,
      );
    });
  });

  it.each([
    ['open', MINE, MINE, true],
    ['open', ANOTHER, MINE, false],
    ['open', null, MINE, false],
    ['open', ANOTHER, null, false],
    ['waiting', null, null, true],
    ['evaluating', MINE, MINE, false],
  ])('that is %s under %s ends for %s: %p', async (stage, token, by, isEnded) => {
    const given = token === null ? 'NULL' : `'${token}'`;
    for (const end of ['endTalk', 'endUnanswered'] as const) {
      await withFrozenNow(app, async (database, tx) => {
        const id = await addRunning(
          database,
          `stage = '${stage}', lease_token = ${given}, line = 1, line_state = 'sealed'`,
        );
        expect(Boolean(await new ActiveCallsRepository(database)[end](id, by, tx))).toBe(isEnded);
        const rows = await database.query('SELECT line, line_state FROM active_calls');
        if (!isEnded) expect(rows).toEqual([{ line: 1, line_state: 'sealed' }]);
        else expect(rows).toEqual(end === 'endTalk' ? [{ line: null, line_state: null }] : []);
      });
    }
  });

  it.each(STAGES.map((stage) => [stage, stage === 'evaluating'] as const))(
    'that is %s has nothing left to do: %p, and counts as a line otherwise',
    async (stage, isOver) => {
      await withFrozenNow(app, async (database, tx) => {
        const id = await addRunning(database, `stage = '${stage}'`);
        const activeCalls = new ActiveCallsRepository(database);
        const lines = new ConcurrencySlotsRepository(database);
        expect(await lines.countOf(owner.userId, tx)).toBe(isOver ? 0 : 1);
        expect(await lines.countOf(other.userId, tx)).toBe(0);
        expect((await activeCalls.end(id, tx)) !== null).toBe(isOver);
      });
    },
  );

  it.each([
    ["stage = 'open'", true, true],
    ["stage = 'waiting'", true, true],
    ["stage = 'evaluating'", true, false],
    ["stage = 'open'", false, false],
  ])('with %s, of the campaign that is stopped: %p, is marked: %p', async (set, isOfCampaign, isMarked) => {
    await withFrozenNow(app, async (database, tx) => {
      const id = await addCall(database, owner.userId, {
        campaignId: isOfCampaign ? campaignId : null,
        campaignName: 'Renovação',
      });
      await addRun(database, id, owner.userId, set);
      const activeCalls = new ActiveCallsRepository(database);
      await activeCalls.requestEnds(other.userId, campaignId, tx);
      expect(await activeCalls.findEndRequested([], 9)).toEqual([]);
      await activeCalls.requestEnds(owner.userId, campaignId, tx);
      expect((await activeCalls.findEndRequested([], 9)).map(({ callId }) => callId)).toEqual(
        isMarked ? [id] : [],
      );
      expect(await activeCalls.findEndRequested([id], 9)).toEqual([]);
      expect(await activeCalls.findEndRequested([], 0)).toEqual([]);
      // A mark keeps its time, and the work after the call is not ended.
      await database.query(
        `UPDATE active_calls SET end_requested_at = ${EARLIER} WHERE end_requested_at IS NOT NULL`,
      );
      await activeCalls.requestEnds(owner.userId, campaignId, tx);
      const marked = await database.query(`SELECT FROM active_calls WHERE end_requested_at = ${EARLIER}`);
      expect(marked).toHaveLength(isMarked ? 1 : 0);
      await database.query("UPDATE active_calls SET stage = 'evaluating'");
      expect(await activeCalls.findEndRequested([], 9)).toEqual([]);
    });
  });

  describe('without a holder', () => {
    const SPEED = 2;
    const GRACE_MS = 10_000;
    const ago = (seconds: number) => `now() - interval '${seconds} seconds'`;
    const NONE = { id: null, name: null };
    const OURS = { id: campaignId, name: 'Renovação' };
    const GONE = { id: null, name: 'Renovação' };
    const HELD = `lease_until = ${LATER}`;
    // 60 s of talk and 30 s of ringing at twice the speed, and 10 s more.
    const TALK_S = 40;
    const RING_S = 55;

    it.each([
      ['waiting', NONE, `stage_since = ${ago(5.001)}`, 'now()', null, 'undialled'],
      ['waiting', NONE, `stage_since = ${ago(5)}`, 'now()', null, null],
      ['placing', NONE, `stage_since = ${ago(5.001)}`, 'now()', null, 'undialled'],
      ['waiting', 'ours', `stage_since = ${ago(999)}`, 'now()', null, null],
      ['waiting', GONE, `stage_since = ${ago(60.001)}`, 'now()', null, 'abandoned'],
      ['waiting', GONE, `stage_since = ${ago(60)}`, 'now()', null, null],
      ['placing', GONE, `stage_since = ${ago(60.001)}`, 'now()', null, 'abandoned'],
      ['open', NONE, HELD, ago(RING_S), null, null],
      ['open', NONE, HELD, ago(RING_S + 0.001), null, 'overdue'],
      ['open', NONE, HELD, ago(999), ago(TALK_S), null],
      ['open', NONE, HELD, ago(999), ago(TALK_S + 0.001), 'overdue'],
      ['open', GONE, HELD, 'now()', null, 'abandoned'],
      ['open', 'ours', HELD, 'now()', null, null],
      ['open', NONE, 'lease_until = now()', 'now()', null, null],
      ['open', NONE, `lease_until = ${EARLIER}`, 'now()', null, 'unmonitored'],
      ['open', NONE, 'lease_until = NULL', 'now()', null, 'unmonitored'],
      ['evaluating', NONE, `stage_since = ${ago(60)}`, 'now()', null, null],
      ['evaluating', NONE, `stage_since = ${ago(60.001)}`, 'now()', null, 'unevaluated'],
      ['evaluating', NONE, `stage_since = ${ago(600)}`, 'now()', null, 'unevaluated'],
      ['evaluating', NONE, `stage_since = ${ago(600.001)}`, 'now()', null, 'unevaluable'],
    ] as const)(
      'is found: %s, of %j, %s, made %s, answered %s: %s',
      async (stage, of, set, madeAt, answeredAt, why) => {
        await withFrozenNow(app, async (database) => {
          const { id, name } = of === 'ours' ? { ...OURS, id: campaignId } : of;
          const callId = await addCall(database, owner.userId, { campaignId: id, campaignName: name });
          await database.query(
            `UPDATE calls SET created_at = ${madeAt}, answered_at = ${answeredAt ?? 'NULL'}`,
          );
          await addRun(database, callId, owner.userId, `stage = '${stage}', ${set}`);
          const found = await new OrphanedCallsRepository(database).find(
            new Map([['sandbox', SPEED]]),
            GRACE_MS,
            9,
          );
          expect(found).toEqual(why === null ? [] : [{ callId, why }]);
        });
      },
    );
  });

  it.each([
    [3, [1], 2],
    [3, [1, 2, 3], 0],
    // A line from when there were more counts against the limit.
    [3, [1, 9], 1],
    [3, [8, 9], 1],
    [3, [7, 8, 9], 0],
  ])('of %i lines, with the lines %j in use, can have %i', async (ofPlatform, taken, expected) => {
    await withFrozenNow(app, async (database, tx) => {
      for (const line of taken) await addRunning(database, `stage = 'open', line = ${line}`);
      const lines = await new ConcurrencySlotsRepository(database).take(9, ofPlatform, tx);
      expect(lines).toHaveLength(expected);
      for (const line of lines) {
        expect(taken).not.toContain(line);
        expect(line).toBeGreaterThanOrEqual(1);
        expect(line).toBeLessThanOrEqual(ofPlatform);
      }
    });
  });
});
