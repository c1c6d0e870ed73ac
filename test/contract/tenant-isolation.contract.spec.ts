import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ParameterObject, ReferenceObject, RequestBodyObject, SchemaObject } from '@nestjs/swagger';
import { type TestAccount, TestApp } from '../support/app.js';
import { type Belongings, fillAccount, type Kind, KIND_OF_SEGMENT } from '../support/belongings.js';
import { assistantBody } from '../support/builders.js';
import { settleCounts } from '../support/counts.js';
import { FOR_PERSONS } from '../support/route-needs.js';
import { until } from '../support/until.js';
import type { Answer, DocumentedRoute } from '../../src/contract/contract-check.js';

const MARK = 'segredo-da-vitima-7f3a';
const NO_ID = 1_999_999_999;
const NO_UUID = '5d3c1c9e-0b1f-4b77-8f5e-1d2a3b4c5d6e';
/** Where the ids of all tables begin, so that an id is seen in a text. */
const FIRST_ID = 700_000_001;

type Id = number | string;
type Body = Record<string, unknown>;

/** Segments whose ids are of the catalogue, which is the same for all accounts. */
const OF_CATALOGUE: ReadonlySet<string> = new Set(['voices']);

/** Ids of the catalogue, which belongs to no account. */
const CATALOGUE = new Set([
  'chat_llm_fallback_id',
  'language_id',
  'llm_model_id',
  'multimodal_model_id',
  'secondary_language_ids',
  'synthesizer_provider_id',
  'transcriber_provider_id',
  'voice_id',
]);
/** Named like ids, but texts. */
const NO_IDS = new Set(['tools.custom_caller_id']);
/** What in a path is no id but one of a few names, and one of them. */
const NAMES: Readonly<Record<string, string>> = { '{provider}': 'deepgram' };
/** Open to everybody who knows an assistant's uuid: that is what they are for. */
const OF_THE_PUBLIC = new Set(['openWebCall']);

interface BodyCase {
  readonly kind: Kind;
  /** A body that is valid when the id is the caller's own. */
  readonly body: (id: Id) => Body;
  /** False where what the caller has cannot be used with success here; the refusal must still be another one. */
  readonly works?: boolean;
}

const assistantCases = (whole: (overrides: Body) => Body): Record<string, BodyCase> => ({
  folder_id: { kind: 'folder', body: (id) => whole({ folder_id: id }) },
  label_ids: { kind: 'label', body: (id) => whole({ label_ids: [id] }) },
  knowledgebase_id: {
    kind: 'knowledgebase',
    body: (id) => whole({ knowledgebase_id: id, knowledgebase_mode: 'function_call' }),
  },
  phone_number_id: { kind: 'phoneNumber', body: (id) => whole({ phone_number_id: id }) },
  tool_ids: { kind: 'tool', body: (id) => whole({ tool_ids: [id] }) },
  'tools.outbound_phone_id': {
    kind: 'phoneNumber',
    body: (id) =>
      whole({
        tools: [
          {
            type: 'warm_call_transfer',
            supervisor_phone: '+5511987654321',
            outbound_phone_id: id,
            description: 'Quando pedem uma pessoa',
          },
        ],
      }),
  },
  'tools.assistant_id': {
    kind: 'assistant',
    body: (id) => whole({ tools: [{ type: 'assistant_transfer', assistant_id: id }] }),
    // The caller's own is, on an update, the assistant itself.
    works: false,
  },
  'tools.destinations.assistant_id': {
    kind: 'assistant',
    body: (id) =>
      whole({ tools: [{ type: 'handoff', destinations: [{ assistant_id: id, description: 'Compras' }] }] }),
    // The caller's own is, on an update, the assistant itself.
    works: false,
  },
});
const switchCase = (body: Body = {}): Record<string, BodyCase> => ({
  assistant_id: { kind: 'assistant', body: (id) => ({ assistant_id: id, ...body }) },
});
const campaignCases = (whole: boolean): Record<string, BodyCase> => ({
  assistant_id: {
    kind: 'assistant',
    body: (id) => ({ ...(whole ? { name: 'Campanha' } : {}), assistant_id: id }),
  },
  phone_number_ids: {
    kind: 'phoneNumber',
    body: (id) => ({
      ...(whole ? { name: 'Campanha', assistant_id: own.assistant } : {}),
      phone_number_ids: [id],
    }),
  },
});
const WEBHOOK = { webhook_url: 'https://example.com/hook' };

const SIMULATION = { customer: { type: 'script', lines: ['Olá'] }, checks: [{ type: 'ends' }] };

/** The ids in bodies: an operation that takes one and is not here fails the test. */
const BODY_CASES: Readonly<Record<string, Record<string, BodyCase>>> = {
  createAssistant: assistantCases((overrides) => assistantBody({ type: 'outbound', ...overrides })),
  updateAssistant: assistantCases((overrides) => overrides),
  updateNumberRouting: {
    'closed.assistant_id': {
      kind: 'assistant',
      body: (id) => ({ closed: { action: 'assistant', assistant_id: id } }),
    },
    'unavailable.assistant_id': {
      kind: 'assistant',
      body: (id) => ({ unavailable: { action: 'assistant', assistant_id: id } }),
    },
  },
  enableWebhook: switchCase(WEBHOOK),
  disableWebhook: switchCase(),
  enableInboundWebhook: switchCase(WEBHOOK),
  disableInboundWebhook: switchCase(),
  enableConversationEndedWebhook: switchCase(WEBHOOK),
  disableConversationEndedWebhook: switchCase(),
  beginSimulation: {
    prompt_version_id: { kind: 'prompt', body: (id) => ({ ...SIMULATION, prompt_version_id: id }) },
  },
  setAssistantMcpTools: { tool_ids: { kind: 'mcpTool', body: (id) => ({ tool_ids: [id] }) } },
  createCampaign: campaignCases(true),
  createCampaignAlias: campaignCases(true),
  updateCampaign: campaignCases(false),
  updateCampaignStatus: {
    campaign_id: { kind: 'campaign', body: (id) => ({ campaign_id: id, action: 'stop' }), works: false },
  },
  createLead: {
    campaign_id: {
      kind: 'campaign',
      body: (id) => ({ campaign_id: id, phone_number: '+5511912345678', allow_dupplicate: true }),
    },
  },
  assignConversation: { member_id: { kind: 'member', body: (id) => ({ member_id: id }) } },
  requestNumberVerification: {
    phone_number_id: {
      kind: 'phoneNumber',
      body: (id) => ({ phone_number_id: id, phone_number: '+5511912345678' }),
      // As with a call.
      works: false,
    },
  },
  makeCall: {
    assistant_id: {
      kind: 'assistant',
      body: (id) => ({ assistant_id: id, phone_number: '+5511912345678' }),
      // With the caller's own it goes as far as the balance, which this account has none of.
      works: false,
    },
  },
  updateLead: { campaign_id: { kind: 'campaign', body: (id) => ({ campaign_id: id }) } },
  patchLead: { campaign_id: { kind: 'campaign', body: (id) => ({ campaign_id: id }) } },
  updateLeadAlias: { campaign_id: { kind: 'campaign', body: (id) => ({ campaign_id: id }) } },
  openTestConversation: { assistant_id: { kind: 'assistant', body: (id) => ({ assistant_id: id }) } },
  createConversation: {
    assistant_id: { kind: 'assistantUuid', body: (id) => ({ assistant_id: id, type: 'test' }) },
  },
};

/** Bodies that get a request to an id in the path past validation. */
const VALID_BODIES: Readonly<Record<string, Body>> = {
  copyAssistant: { name: 'Cópia' },
  addCallNote: { text: 'Ligar na terça.' },
  setCallTags: { tags: ['retorno'] },
  setConversationTags: { tags: ['retorno'] },
  assignConversation: { member_id: null },
  confirmNumberVerification: { code: '000000' },
  createDocument: { name: 'Site', type: 'website', url: 'https://example.com/' },
  allowMcpTool: { allowed: false },
  beginSimulation: SIMULATION,
  searchKnowledgebase: { query: 'Entrega?' },
  sendAgentMessage: { message: 'Olá' },
  testNumberRouting: { customer_phone: '+5511987650000' },
  setAssistantMcpTools: { tool_ids: [] },
  updateFolder: { name: 'Outra' },
  updateFolderAlias: { name: 'Outra' },
  updateMember: { role: 'viewer' },
  updateSavedReply: { text: 'Outra' },
};

/** Filters of lists by id or by what only one tenant has. */
const KIND_OF_QUERY: Readonly<Record<string, Kind>> = {
  assignee: 'member',
  assistant_id: 'assistant',
  campaign_id: 'campaign',
  webhook_endpoint_id: 'webhookEndpoint',
};

let theirs: Belongings;
let own: Belongings;

describe('Tenants apart', () => {
  let app: TestApp;
  let victim: TestAccount;
  let attacker: TestAccount;
  let before: ReadonlyMap<string, readonly string[]>;
  let guarded: readonly DocumentedRoute[];
  let requests = 0;

  beforeAll(async () => {
    app = await TestApp.start();
    await startIdsAt(FIRST_ID);
    victim = await app.account({ balanceUsd: 5 });
    theirs = await fillAccount(app, victim, MARK);
    // Counts are settled in the background, which is no change by another account.
    await settleCounts(app);
    // The outcome of a change is written a moment after its answer.
    await until(
      async () => (await app.query('SELECT FROM audit_log_entries WHERE status IS NULL')).length === 0,
    );
    before = await snapshot();
    attacker = await app.account({ balanceUsd: 5 });
    own = await fillAccount(app, attacker, 'proprio');
    guarded = app.contract.routes.filter(({ operation }) => (operation.security ?? []).length > 0);
  }, 60_000);
  afterAll(() => app.stop());

  async function startIdsAt(first: number): Promise<void> {
    const sequences = await app.query<{ name: string }>(
      `SELECT pg_get_serial_sequence(quote_ident(table_name), column_name) AS name
       FROM information_schema.columns
       WHERE table_schema = 'public' AND is_identity = 'YES' AND data_type = 'integer'`,
    );
    for (const { name } of sequences) await app.query(`ALTER SEQUENCE ${name} RESTART WITH ${first}`);
  }

  /** Every row of every table, as text. */
  async function snapshot(): Promise<Map<string, string[]>> {
    const tables = await app.query<{ name: string }>(
      "SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1",
    );
    const rows = new Map<string, string[]>();
    for (const { name } of tables) {
      const found = await app.query<{ row: string }>(`SELECT to_jsonb(t)::text AS row FROM ${name} t`);
      rows.set(name, found.map(({ row }) => row).sort());
    }
    return rows;
  }

  /** An answer in which the id that was asked for is called `<id>`. */
  async function ask({ method, path }: DocumentedRoute, ids: readonly Id[], send: Sent): Promise<Answer> {
    const asked = [...ids];
    const url = path.replace(/\{\w+\}/g, (place) => NAMES[place] ?? String(asked.shift()));
    const caller = app.as(attacker);
    const request = caller[method](url + (send.query ?? ''))
      .set('Content-Type', 'application/json')
      .set('Accept', 'application/json');
    const { status, headers, text } = await (method === 'get' ? request : request.send(send.body ?? {}));
    requests += 1;
    const masked = [...ids, ...(send.ids ?? [])].reduce<string>(
      (rest, id) => rest.replaceAll(String(id), '<id>'),
      text,
    );
    expect({ method, path, text: masked }).not.toMatchObject({ text: expect.stringContaining(MARK) });
    return { status, contentType: String(headers['content-type']), text: masked };
  }

  interface Sent {
    readonly body?: Body;
    readonly query?: string;
    readonly ids?: readonly Id[];
  }

  const missing = (kind: Kind): Id => (typeof theirs[kind] === 'string' ? NO_UUID : NO_ID);

  function kindsOf({ path }: DocumentedRoute): Kind[] {
    const segments = path.split('/');
    return segments.flatMap((segment, index) => {
      if (!segment.startsWith('{') || NAMES[segment]) return [];
      const before = segments[index - 1] ?? '';
      if (OF_CATALOGUE.has(before)) return [];
      const kind = KIND_OF_SEGMENT[before];
      if (!kind)
        throw new Error(
          `${path}: add "'${before}': '<kind>'" to KIND_OF_SEGMENT in test/support/belongings.ts`,
        );
      return [kind];
    });
  }

  function idOf(belongings: Belongings, kind: Kind): Id {
    const id = belongings[kind];
    if (id === undefined)
      throw new Error(`add "${kind}: <its id>" to what fillAccount returns in test/support/belongings.ts`);
    return id;
  }

  // spec: conventions.every-resource-user, update-lead.lead-must-belong, update-lead.lead-not-found
  // spec: authentication.resources-scoped-authenticated, errors.update-lead-lead
  it('answers an id of another account in a path exactly as one that is not there, on every route', async () => {
    let checked = 0;
    for (const route of guarded) {
      const kinds = kindsOf(route);
      for (const [index, kind] of kinds.entries()) {
        const at = (id: Id) => kinds.map((each, place) => (place === index ? id : idOf(own, each)));
        const body = VALID_BODIES[route.operation.operationId ?? ''];
        const absent = await ask(route, at(missing(kind)), { body });
        const foreign = await ask(route, at(idOf(theirs, kind)), { body });
        expect({ route: route.path, ...foreign }).toEqual({ route: route.path, ...absent });
        const name = `${route.method} ${route.path}`;
        if (foreign.status === 422) {
          throw new Error(
            `${name} refuses the body: add "${route.operation.operationId}: { … }", a body that is valid, to VALID_BODIES in ` +
              'test/contract/tenant-isolation.contract.spec.ts',
          );
        }
        expect({ route: name, status: foreign.status }).toMatchObject({ status: 404 });
        checked += 1;
      }
    }
    expect(checked).toBeGreaterThan(15);
  });

  // spec: conventions.every-resource-user, states.campaign-action-start
  it('answers an id of another account in a body exactly as one that is not there, on every route', async () => {
    let checked = 0;
    const routes = app.contract.routes.filter(
      ({ operation }) => !OF_THE_PUBLIC.has(operation.operationId ?? ''),
    );
    for (const route of routes) {
      const cases = BODY_CASES[route.operation.operationId ?? ''] ?? {};
      const named = idFieldsOf(route).filter((field) => !CATALOGUE.has(field) && !NO_IDS.has(field));
      const unlisted = named.filter((field) => !(field in cases));
      if (unlisted.length > 0) {
        throw new Error(
          `${route.path} takes ${unlisted.join()}: add "${route.operation.operationId}: { ${unlisted[0]}: { kind, body } }" to ` +
            'BODY_CASES in test/contract/tenant-isolation.contract.spec.ts',
        );
      }
      expect({ route: route.path, fields: Object.keys(cases).sort() }).toEqual({
        route: route.path,
        fields: named,
      });
      for (const { kind, body, works = true } of Object.values(cases)) {
        const path = kindsOf(route).map((each) => idOf(own, each));
        const send = (id: Id) => ask(route, path, { body: body(id), ids: [id] });
        const absent = await send(missing(kind));
        const foreign = await send(idOf(theirs, kind));
        expect({ route: route.path, kind, ...foreign }).toEqual({ route: route.path, kind, ...absent });
        expect([404, 422]).toContain(foreign.status);
        // The refusal is about the id and nothing else: with the caller's own the same body goes further.
        const taken = await send(idOf(own, kind));
        expect({ route: route.path, kind, answer: taken }).not.toEqual({
          route: route.path,
          kind,
          answer: absent,
        });
        if (works) expect(`${route.path} by ${kind}: ${taken.status}`).toMatch(/: 20[012]$/);
        checked += 1;
      }
    }
    expect(checked).toBeGreaterThan(15);
  });

  it('finds nothing by an id of another account in a query, as by one that is not there', async () => {
    let checked = 0;
    for (const route of guarded) {
      for (const name of queryOf(route)) {
        const kind = KIND_OF_QUERY[name];
        if (!kind) continue;
        const send = (id: Id) => ask(route, [], { query: `?${name}=${id}`, ids: [id] });
        const absent = await send(missing(kind));
        expect(await send(idOf(theirs, kind))).toEqual(absent);
        checked += 1;
      }
      expect(
        queryOf(route).filter((name) => /_ids?$/.test(name) && !KIND_OF_QUERY[name] && !CATALOGUE.has(name)),
      ).toEqual([]);
    }
    expect(checked).toBeGreaterThan(0);
  });

  // spec: conventions.every-resource-user
  it('shows nothing of another account in any list', async () => {
    for (const route of guarded) {
      if (route.method !== 'get' || route.path.includes('{')) continue;
      const { status } = await ask(route, [], {});
      const expected = FOR_PERSONS.has(route.operation.operationId ?? '') ? [403] : [200, 406, 422];
      expect({ route: route.path, ok: expected.includes(status) }).toMatchObject({ ok: true });
    }
  });

  // spec: authentication.resources-scoped-authenticated
  it('has left every row of the other account as it was', async () => {
    const after = await snapshot();
    expect(requests).toBeGreaterThan(60);
    for (const [table, rows] of before) {
      const kept = new Set(after.get(table));
      expect({ table, changed: rows.filter((row) => !kept.has(row)) }).toEqual({ table, changed: [] });
      const ofVictim = (all: readonly string[] = []) =>
        all.filter((row) => (JSON.parse(row) as Body).user_id === victim.userId).length;
      expect({ table, rows: ofVictim(after.get(table)) }).toEqual({ table, rows: ofVictim(rows) });
    }
  });

  function queryOf({ operation }: DocumentedRoute): string[] {
    const parameters = (operation.parameters ?? []) as ParameterObject[];
    return parameters.filter((each) => each.in === 'query').map(({ name }) => name);
  }

  /** Fields of a request body that are ids by their name, nested ones as `tools.outbound_phone_id`. */
  function idFieldsOf({ operation }: DocumentedRoute): string[] {
    const body = operation.requestBody as RequestBodyObject | undefined;
    const found = new Set<string>();
    const visit = (schema: SchemaObject | ReferenceObject | undefined, parent: string): void => {
      if (!schema) return;
      const whole = '$ref' in schema ? app.contract.resolve(schema) : schema;
      for (const part of [...(whole.oneOf ?? []), ...(whole.anyOf ?? []), ...(whole.allOf ?? [])])
        visit(part, parent);
      visit(whole.items, parent);
      for (const [name, property] of Object.entries(whole.properties ?? {})) {
        const field = parent ? `${parent}.${name}` : name;
        if (/(^|_)ids?$/.test(name)) found.add(field);
        visit(property, field);
      }
    };
    for (const { schema } of Object.values(body?.content ?? {})) visit(schema, '');
    return [...found].sort();
  }
});
