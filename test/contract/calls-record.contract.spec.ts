import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Database } from '../../src/database/database.js';
import { CallCountsService } from '../../src/modules/calls/listing/call-counts.service.js';
import { ANSWERERS, CALL_STATUSES, type CallStatus, isAllowed } from '../../src/modules/calls/call-states.js';
import { CallsService } from '../../src/modules/calls/calls.service.js';
import type { TestAccount, TestApp } from '../support/app.js';
import { CallAccounts, PHONES, type CallQuery } from '../support/call-accounts.js';

const LIST = '/api/user/calls';
const NOT_FOUND = { message: 'Ligação não encontrada' };
const DAY_MS = 86_400_000;
const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
/** `live` of a call in which nothing was said, and whose caller does not wait; without `since`. */
const LIVE = { last_turn: null, holder: 'assistant', member_name: null, listeners: 0, waiting: null };

let accounts: CallAccounts;
let app: TestApp;
let ana: TestAccount;
let other: TestAccount;
let calls: CallsService;
let database: Database;

beforeAll(async () => {
  accounts = await CallAccounts.start();
  app = accounts.app;
  calls = app.app.get(CallsService);
  database = app.app.get(Database);
  other = await accounts.open();
});
afterAll(() => app.stop());
beforeEach(async () => {
  ana = await accounts.open();
});

const settle = () => app.app.get(CallCountsService).settle();
const list = (query: CallQuery, account = ana) => app.as(account).get(LIST).query(query);

describe('GET /api/user/calls/{id}', () => {
  const DATE_TIME = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/;

  // spec: campaign.campaign-holds-leads, call.id, call.answered_by, call.recording_url, call.created_at
  // spec: events.response-configured-webhooks
  it('answers the call itself, with exactly the fields of the document', async () => {
    const { id } = await calls.open(ana.userId, {
      assistantName: 'Bia',
      assistantId: accounts.assistantOf(ana, 1),
      campaignId: accounts.campaignOf(ana, 2),
      campaignName: 'Spring',
      type: 'outbound',
      assistantPhoneNumber: '+551130000000',
      clientPhoneNumber: PHONES[0],
      inputVariables: { segmento: 'padaria' },
      variables: { name: 'Caio' },
      recordingEnabled: true,
    });
    await calls.move(ana.userId, id, { from: 'initiated', to: 'ringing' });
    await calls.move(ana.userId, id, { from: 'ringing', to: 'in-progress' }, { answeredBy: 'human' });
    await database.query("UPDATE calls SET answered_at = answered_at - interval '83 seconds' WHERE id = $1", [
      id,
    ]);
    await calls.move(ana.userId, id, { from: 'in-progress', to: 'ended_by_customer' }, { transcript: 'Oi!' });
    await calls.move(
      ana.userId,
      id,
      { from: 'ended_by_customer', to: 'completed' },
      {
        evaluation: { status: true },
        webhookResponse: { status: 200 },
        carrierCostMicros: 21_500,
        aiCostMicros: 100_000,
      },
    );
    await database.query(
      "UPDATE calls SET recording_key = 'recordings/1.ogg', recording_bytes = 9 WHERE id = $1",
      [id],
    );
    const { body } = await app.as(ana).get(`${LIST}/${id}`).expect(200);
    expect(body).toEqual({
      id,
      assistant_name: 'Bia',
      campaign_name: 'Spring',
      type: 'outbound',
      duration: 83,
      assistant_phone_number: '+551130000000',
      client_phone_number: PHONES[0],
      status: 'completed',
      transcript: 'Oi!',
      variables: { name: 'Caio' },
      evaluation: { status: true },
      voice: null,
      webhook_response: { status: 200 },
      carrier_cost: 0.0215,
      total_cost: 0.1215,
      answered_by: 'human',
      recording_url: expect.stringMatching(
        /^http:\/\/127\.0\.0\.1:\d+\/api\/recordings\/\d+\?expires=\d+&signature=[\w-]{43}$/,
      ),
      created_at: expect.stringMatching(DATE_TIME),
      updated_at: expect.stringMatching(DATE_TIME),
      assistant_id: accounts.assistantOf(ana, 1),
      campaign_id: accounts.campaignOf(ana, 2),
      input_variables: { segmento: 'padaria' },
      turns: [],
      function_calls: [],
      desk: [],
      tags: [],
      quality: null,
      gatekeeper: null,
      end_reason: null,
      recording_skipped: null,
      live: null,
      routing: null,
      tokens: null,
    });
    // São Paulo is three hours behind UTC, all the year.
    expect(Math.abs(Date.parse(`${body.created_at.replace(' ', 'T')}-03:00`) - Date.now())).toBeLessThan(
      DAY_MS / 24,
    );
    const {
      assistant_id: _assistant,
      campaign_id: _campaign,
      input_variables: _inputVariables,
      turns: _turns,
      function_calls: _functionCalls,
      desk: _desk,
      tags: _tags,
      quality: _quality,
      gatekeeper: _gatekeeper,
      end_reason: _reason,
      recording_skipped: _skipped,
      live: _live,
      tokens: _tokens,
      ...listed
    } = body;
    expect((await list({}).expect(200)).body.data).toEqual([listed]);
  });

  // spec: call.id, call.campaign_name
  it('shows a call without campaign, numbers and recording with the types of the document', async () => {
    const { id } = await calls.open(ana.userId, { assistantName: 'Bia', type: 'web' });
    const { body } = await app.as(ana).get(`${LIST}/${id}`).expect(200);
    expect(body).toEqual({
      id,
      assistant_name: 'Bia',
      type: 'web',
      duration: 0,
      assistant_phone_number: '',
      client_phone_number: '',
      status: 'initiated',
      transcript: '',
      variables: {},
      evaluation: {},
      voice: null,
      webhook_response: {},
      carrier_cost: 0,
      total_cost: 0,
      answered_by: 'unknown',
      created_at: expect.stringMatching(DATE_TIME),
      updated_at: expect.stringMatching(DATE_TIME),
      assistant_id: null,
      campaign_id: null,
      input_variables: {},
      turns: [],
      function_calls: [],
      desk: [],
      tags: [],
      quality: null,
      gatekeeper: null,
      end_reason: null,
      recording_skipped: null,
      live: { ...LIVE, since: expect.stringMatching(ISO) },
      routing: null,
      tokens: null,
    });
    expect(ANSWERERS).toContain(body.answered_by);
  });

  // spec: call.recording_url
  it('keeps a recording back that was made where recording is not enabled', async () => {
    const { id } = await calls.open(ana.userId, { assistantName: 'Bia', type: 'web' });
    await database.query(
      "UPDATE calls SET recording_key = 'recordings/1.ogg', recording_bytes = 9 WHERE id = $1",
      [id],
    );
    const { body } = await app.as(ana).get(`${LIST}/${id}`).expect(200);
    expect(body).not.toHaveProperty('recording_url');
  });

  it('answers 404 for a missing call, for one of another account, and for what is no id', async () => {
    const foreign = await calls.open(other.userId, { assistantName: 'Bia', type: 'web' });
    for (const id of [foreign.id, 2_147_483_647, 0, -1, 'x', '99999999999999999999']) {
      const { body } = await app.as(ana).get(`${LIST}/${id}`).expect(404);
      expect(body).toEqual(NOT_FOUND);
    }
  });
});

describe('the assistant of a call', () => {
  it('stays on the call by name when it is deleted, and filters no more', async () => {
    const id = accounts.assistantOf(ana, 1);
    const call = await calls.open(ana.userId, { assistantName: 'Bia', assistantId: id, type: 'web' });
    await calls.open(ana.userId, { assistantName: 'Bia', assistantId: id, type: 'web' });
    await database.query('DELETE FROM assistants WHERE id = $1', [id]);
    const { body } = await app.as(ana).get(`${LIST}/${call.id}`).expect(200);
    expect(body.assistant_name).toBe('Bia');
    for (const settleFirst of [false, true]) {
      if (settleFirst) await settle();
      expect((await list({ assistant_id: id }).expect(200)).body.total).toBe(0);
      expect((await list({ type: 'web' }).expect(200)).body.total).toBe(2);
    }
  });
});

describe('what was said in a call', () => {
  it('is shown turn by turn, in its order, with how long the customer waited', async () => {
    const quality = { response_ms: { p50: 640, p95: 900, max: 900 }, turns: [] };
    const { id } = await calls.open(ana.userId, { assistantName: 'Bia', type: 'web' });
    await database.query(`UPDATE calls SET quality = $2, gatekeeper = 'screening' WHERE id = $1`, [
      id,
      quality,
    ]);
    await database.query(
      `INSERT INTO call_turns (call_id, user_id, position, role, text, start_ms, end_ms, interrupted,
         assistant_id, assistant_name)
       VALUES ($1, $2, 1, 'customer', 'Oi', 1400, 1900, false, NULL, NULL),
         ($1, $2, 0, 'assistant', 'Olá!', 0, 1500, true, NULL, NULL),
         ($1, $2, 2, 'assistant', 'Pois não?', 2000, 2500, false, 7, 'Vendas')`,
      [id, ana.userId],
    );
    const { body } = await app.as(ana).get(`${LIST}/${id}`).expect(200);
    expect(body).toMatchObject({
      turns: [
        { role: 'assistant', text: 'Olá!', start_ms: 0, end_ms: 1_500, interrupted: true },
        { role: 'customer', text: 'Oi', start_ms: 1_400, end_ms: 1_900, interrupted: false },
        { role: 'assistant', text: 'Pois não?', assistant_name: 'Vendas', start_ms: 2_000 },
      ],
      quality,
      gatekeeper: 'screening',
    });
    await app.as(ana).delete(`${LIST}/${id}`).expect(200);
    expect(await database.query('SELECT FROM call_turns WHERE call_id = $1', [id])).toEqual([]);
  });
});

describe('DELETE /api/user/calls/{id}', () => {
  it('deletes for good', async () => {
    const { id } = await calls.open(ana.userId, { assistantName: 'Bia', type: 'web' });
    const { body } = await app.as(ana).delete(`${LIST}/${id}`).expect(200);
    expect(body).toEqual({ message: 'Chamada excluída com sucesso' });
    expect((await app.as(ana).get(`${LIST}/${id}`).expect(404)).body).toEqual(NOT_FOUND);
    expect((await app.as(ana).delete(`${LIST}/${id}`).expect(404)).body).toEqual(NOT_FOUND);
    expect(await database.query('SELECT 1 FROM calls WHERE id = $1', [id])).toEqual([]);
  });

  it('answers 404 for a call of another account and leaves it', async () => {
    const foreign = await calls.open(other.userId, { assistantName: 'Bia', type: 'web' });
    expect((await app.as(ana).delete(`${LIST}/${foreign.id}`).expect(404)).body).toEqual(NOT_FOUND);
    await app.as(other).get(`${LIST}/${foreign.id}`).expect(200);
  });
});

describe('the state of a call', () => {
  /** A call in a state, by SQL: some states have no way back to begin a move in. */
  async function callIn(status: CallStatus): Promise<number> {
    const { id } = await calls.open(ana.userId, { assistantName: 'Bia', type: 'outbound' });
    await database.query('UPDATE calls SET status = $2 WHERE id = $1', [id, status]);
    return id;
  }

  // spec: states.call-initiated-ringing, states.call-transitions-not
  it('changes by the moves of the table and by no other', async () => {
    for (const from of CALL_STATUSES) {
      for (const to of CALL_STATUSES) {
        const id = await callIn(from);
        if (isAllowed({ from, to })) expect(await calls.move(ana.userId, id, { from, to })).toBe(true);
        else await expect(calls.move(ana.userId, id, { from, to })).rejects.toThrow('calls.illegal_move');
        const { status } = await calls.getWithTurns(ana.userId, id);
        expect([from, to, status]).toEqual([from, to, isAllowed({ from, to }) ? to : from]);
      }
    }
  });

  it('stays when it is not any more what the move expects, or when the call is of another account', async () => {
    const id = await callIn('in-progress');
    expect(await calls.move(ana.userId, id, { from: 'ringing', to: 'busy' })).toBe(false);
    expect(await calls.move(other.userId, id, { from: 'in-progress', to: 'ended' })).toBe(false);
    expect((await calls.getWithTurns(ana.userId, id)).status).toBe('in-progress');
  });

  it('is changed once when many want the same move', async () => {
    const id = await callIn('in-progress');
    const results = await Promise.all(
      (['ended', 'ended_by_customer', 'ended_by_assistant', 'ended'] as const).map((to) =>
        calls.move(ana.userId, id, { from: 'in-progress', to }),
      ),
    );
    expect(results.filter(Boolean)).toHaveLength(1);
  });

  it('allows one live call for a lead', async () => {
    const [lead] = await database.query<{ id: number }>(
      "INSERT INTO leads (user_id, campaign_id, phone_number) VALUES ($1, $2, '+5511987654321') RETURNING id",
      [ana.userId, accounts.campaignOf(ana, 1)],
    );
    const details = { assistantName: 'Bia', type: 'outbound', leadId: lead?.id ?? 0 } as const;
    const { id } = await calls.open(ana.userId, details);
    await expect(calls.open(ana.userId, details)).rejects.toThrow('calls_one_live_per_lead_key');
    await calls.move(ana.userId, id, { from: 'initiated', to: 'failed' });
    await calls.open(ana.userId, details);
  });
});
