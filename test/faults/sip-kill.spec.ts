import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SippCustomers } from '../phone/software/sipp-customers.js';
import { type TestAccount, TEST_ENCRYPTION_KEY, TestApp } from '../support/app.js';
import { createCampaign, createOutboundAssistant, phoneNumber } from '../support/campaign-builders.js';
import { answerJson, LocalServer } from '../support/http-server.js';
import { lengthOf } from '../support/length.js';
import { buildProduct, ProsaProcess } from '../support/prosa-process.js';
import { operatorTrunk } from '../support/sip-voice-processes.js';
import { until } from '../support/until.js';
import { callsNotTold, moneyWrong, type Query } from './dial-verdict.js';

const KILLS = lengthOf(3, Number(process.env.SIP_KILLS ?? 30));
const PARALLEL = 8;
/** Leads are added so that some always wait while processes are killed. */
const WAITING = 8;

const SIPP_PORT = 25_790;
const SIP_PORT = 25_760;
const PROCESS_PORTS = '25770-25777';
const RTP_PORTS = '25800-25998';

/** A lease, a sweep and the work after a call, on a busy machine. */
const REST_MS = 180_000;

type Role = 'api' | 'worker' | 'voice';
const FLEET: readonly Role[] = ['api', 'worker', 'worker', 'voice', 'voice'];
const READY: Readonly<Record<Role, RegExp>> = { api: /Model /, worker: /Model /, voice: /Voice is ready/ };

interface Member {
  readonly role: Role;
  readonly process: ProsaProcess;
}

interface AttemptRow {
  readonly lead_id: number;
  readonly number: number;
  readonly state: string;
  readonly outcome: string | null;
  readonly to: string;
}

/** Of the campaign that is the first parameter. */
const DUE_LEADS = "lead_dials WHERE campaign_id = $1 AND state = 'waiting' AND due_at <= now()";
const isHere = spawnSync('which', ['sipp']).status === 0;

/** All processes of an installation are killed at random while a campaign calls over SIP. `npm run test:faults -- sip-kill 30`. */
(isHere ? describe : describe.skip)('a campaign over SIP whose processes are killed', () => {
  let app: TestApp;
  let owner: TestAccount;
  let campaignId: number;
  let folder: string;
  let customers: SippCustomers;
  let receiver: LocalServer;
  let fleet: Member[] = [];
  let added = 0;
  const kills: Role[] = [];
  /** How far calls had come when a process was killed. */
  const struck: Record<string, number> = {};
  const query: Query = (sql, parameters) => app.query(sql, parameters);

  const settings = {
    SIP_LISTEN: `127.0.0.1:${SIP_PORT}`,
    SIP_PROCESS_PORTS: PROCESS_PORTS,
    RTP_PORTS,
    EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
    CALLING_HOURS: 'off',
    CALL_PRICE_PER_MINUTE: '0.06',
    CARRIER_PRICE_PER_MINUTE: '0',
    DIAL_LEASE_SECONDS: '5',
  };

  beforeAll(async () => {
    await buildProduct();
    folder = await mkdtemp(join(tmpdir(), 'prosa-sip-kill-'));
    customers = SippCustomers.start(SIPP_PORT);
    receiver = await LocalServer.start((_request, response) => answerJson(response, {}));
    app = await TestApp.start(settings);
    await app.query('UPDATE plans SET max_calls_in_parallel = $1', [PARALLEL]);
    owner = await app.account({ balanceUsd: 1_000 });
    fleet = FLEET.map(start);
    await Promise.all(fleet.map(({ role, process }) => process.says(READY[role])));
    const { body } = await app
      .as(owner)
      .post('/api/user/phone-numbers/sip-trunks')
      .send(operatorTrunk('+551130000001', SIPP_PORT))
      .expect(201);
    const { id: trunk } = body.data as { id: number };
    const isServed = () => app.query('SELECT FROM sip_trunk_states WHERE trunk_id = $1', [trunk]);
    await until(async () => (await isServed()).length > 0, REST_MS);
    const assistant = await createOutboundAssistant(app, owner, {
      phone_number_id: trunk,
      is_webhook_active: true,
      webhook_url: receiver.url,
      send_webhook_only_on_completed: false,
    });
    await app.as(owner).put(`/api/user/assistant/${assistant}`).send({ status: 'active' }).expect(200);
    campaignId = await createCampaign(app, owner, {
      assistant_id: assistant,
      phone_number_ids: [trunk],
      max_calls_in_parallel: PARALLEL,
      max_retries: 1,
      // What fails is not tried again here: each number that is rung twice is one too many.
      retry_interval: 4_320,
      mark_complete_when_no_leads: false,
    });
  }, 300_000);

  afterAll(async () => {
    for (const { process } of fleet) process.kill('SIGKILL');
    await Promise.all(fleet.map(({ process }) => process.exit()));
    await app.stop();
    await receiver.stop();
    await customers.stop();
    await rm(folder, { recursive: true, force: true });
  }, 60_000);

  function start(role: Role): Member {
    const process = ProsaProcess.start({
      ...settings,
      DATABASE_URL: app.database.url,
      ENCRYPTION_KEY: TEST_ENCRYPTION_KEY,
      DATA_DIR: folder,
      PORT: '0',
      PROSA_ROLES: role,
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'warn',
    });
    return { role, process };
  }

  const isReady = ({ role, process }: Member) => READY[role].test(process.text);

  /** Kills one that has come up, of a role that is chosen at random, and starts another one. */
  async function killOne(): Promise<void> {
    const roles = [...new Set(FLEET)].filter((role) =>
      fleet.some((one) => one.role === role && isReady(one)),
    );
    // In the short form each role once.
    const left = roles.filter((role) => KILLS > 3 || !kills.includes(role));
    const role = pickFrom(left);
    const victim = pickFrom(fleet.filter((one) => one.role === role && isReady(one)));
    if (role === undefined || victim === undefined) return;
    const calls = await app.query<{ stage: string }>('SELECT stage FROM active_calls');
    for (const { stage } of calls) struck[stage] = (struck[stage] ?? 0) + 1;
    victim.process.kill('SIGKILL');
    await victim.process.exit();
    fleet = [...fleet.filter((one) => one !== victim), start(role)];
    kills.push(role);
  }

  /** By whichever API process lives. A request whose answer was lost is repeated under its key. */
  async function addLead(): Promise<void> {
    const number = phoneNumber(added++);
    const headers = {
      'Content-Type': 'application/json',
      Authorization: `Bearer ${owner.token}`,
      'Idempotency-Key': randomUUID(),
    };
    const body = JSON.stringify({ campaign_id: campaignId, phone_number: number });
    await until(async () => {
      const api = fleet.find((one) => one.role === 'api' && isReady(one));
      const url = /API\s+(\S+)\/api/.exec(api?.process.text ?? '')?.[1];
      if (url === undefined) return false;
      const answer = await fetch(`${url}/api/user/lead`, { method: 'POST', headers, body }).catch(() => null);
      await answer?.arrayBuffer().catch(() => null);
      return answer?.status === 200;
    }, REST_MS);
  }

  const waiting = async () => (await app.query(`SELECT FROM ${DUE_LEADS}`, [campaignId])).length;

  const attempts = () =>
    app.query<AttemptRow>(
      `SELECT lead_id, number, state, outcome, to_phone_number AS "to" FROM dial_attempts
       WHERE campaign_id = $1 ORDER BY lead_id, number`,
      [campaignId],
    );

  /** No lead is due, no attempt is under way, no call has work left, no webhook waits. */
  async function isAtRest(): Promise<boolean> {
    // The evaluations of the dead are taken up after a minute, their deliveries when the lease is over.
    await app.query(
      `UPDATE active_calls SET stage_since = stage_since - interval '1 minute'
       WHERE stage = 'evaluating' AND stage_since BETWEEN now() - interval '1 minute' AND now() - interval '10 seconds'`,
    );
    // In one statement: what is claimed between two would be seen by neither.
    const [open] = await app.query<{ count: number }>(
      `SELECT ((SELECT count(*) FROM dial_attempts WHERE state <> 'settled') + (SELECT count(*) FROM active_calls) +
         (SELECT count(*) FROM webhook_deliveries WHERE status = 'pending') +
         (SELECT count(*) FROM ${DUE_LEADS}))::int AS count`,
      [campaignId],
    );
    return open?.count === 0;
  }

  it(
    `rings each lead once, settles it and tells of it, over ${KILLS} kills`,
    async () => {
      while (added < WAITING) await addLead();
      await app
        .as(owner)
        .post('/api/user/campaigns/update-status')
        .send({ campaign_id: campaignId, action: 'start' })
        .expect(200);
      await until(() => customers.rung.length > 0, REST_MS);
      const killing = new AbortController();
      const adding = (async () => {
        while (!killing.signal.aborted) {
          if ((await waiting()) < WAITING) await addLead();
          else await sleep(100);
        }
      })();
      try {
        while (kills.length < KILLS) {
          // Otherwise no caller might be left: a voice process takes seconds to start.
          const before = customers.rung.length;
          await until(() => customers.rung.length > before, REST_MS);
          await sleep(Math.random() * 4_000);
          await killOne();
        }
      } finally {
        killing.abort();
        await adding;
      }
      await until(isAtRest, REST_MS).catch(() => undefined);

      const rows = await attempts();
      const rung = new Map<string, number>();
      for (const { number } of customers.rung) rung.set(number, (rung.get(number) ?? 0) + 1);
      const timesOf = ({ to }: AttemptRow) => rung.get(to) ?? 0;
      const outcomes: Record<string, number> = {};
      for (const { outcome } of rows) outcomes[outcome ?? 'none'] = (outcomes[outcome ?? 'none'] ?? 0) + 1;
      const unrung = rows.filter((row) => timesOf(row) === 0);
      const killed = Object.fromEntries(
        [...new Set(FLEET)].map((role) => [role, kills.filter((one) => one === role).length]),
      );
      process.stdout.write(
        `\n${JSON.stringify({ kills: killed, struck, leads: added, rung: customers.rung.length, outcomes, notRung: unrung.length })}\n`,
      );

      expect([...rung].filter(([, times]) => times > 1)).toEqual([]);
      expect(rows.filter(({ state, number }) => state !== 'settled' || number !== 1)).toEqual([]);
      expect(new Set(rows.map(({ to }) => to)).size).toBe(added);
      expect(rows).toHaveLength(added);
      // A call in doubt is not repeated, and may not have been placed. Each person with a conversation was rung.
      expect(unrung.filter(({ outcome }) => outcome !== 'unknown' && outcome !== 'failed')).toEqual([]);
      expect(await app.query('SELECT * FROM active_calls')).toEqual([]);
      expect(await moneyWrong(query, owner.userId)).toEqual([]);
      const events = new Set(receiver.requests.map(({ headers }) => headers['webhook-id']));
      expect(await callsNotTold(query, owner.userId, events)).toEqual([]);
    },
    KILLS * 20_000 + 2 * REST_MS,
  );
});

function pickFrom<Item>(items: readonly Item[]): Item | undefined {
  return items[Math.floor(Math.random() * items.length)];
}
