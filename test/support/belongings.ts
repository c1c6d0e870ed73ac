import { Transactions } from '../../src/database/transactions.js';
import { WebhooksService } from '../../src/modules/webhooks/webhooks.service.js';
import type { TestAccount, TestApp } from './app.js';
import { createAssistant, createTool, openConversation, sipTrunkBody } from './builders.js';

/** What an account can have, each reached by an id of its own. */
export type Kind =
  | 'accountExport'
  | 'apiKey'
  | 'assistant'
  | 'assistantUuid'
  | 'call'
  | 'callNote'
  | 'callShare'
  | 'campaign'
  | 'conversation'
  | 'doNotCall'
  | 'document'
  | 'erasure'
  | 'folder'
  | 'label'
  | 'importRun'
  | 'invitation'
  | 'knowledgebase'
  | 'lead'
  | 'mcpServer'
  | 'mcpTool'
  | 'member'
  | 'numberVerification'
  | 'phoneNumber'
  | 'prompt'
  | 'savedReply'
  | 'session'
  | 'simulation'
  | 'sipTrunk'
  | 'tool'
  | 'transferOffer'
  | 'webhookDelivery'
  | 'webhookEndpoint';

/** What the id in a path is one of, by the segment before it. */
export const KIND_OF_SEGMENT: Readonly<Record<string, Kind>> = {
  'account-exports': 'accountExport',
  'api-keys': 'apiKey',
  assistant: 'assistant',
  calls: 'call',
  campaign: 'campaign',
  campaigns: 'campaign',
  conversations: 'conversation',
  'do-not-call': 'doNotCall',
  documents: 'document',
  erasures: 'erasure',
  folder: 'folder',
  folders: 'folder',
  label: 'label',
  labels: 'label',
  imports: 'importRun',
  invitations: 'invitation',
  knowledgebases: 'knowledgebase',
  leads: 'lead',
  'mcp-servers': 'mcpServer',
  'mcp-tools': 'mcpTool',
  notes: 'callNote',
  members: 'member',
  'saved-replies': 'savedReply',
  sessions: 'session',
  shares: 'callShare',
  'phone-numbers': 'phoneNumber',
  prompts: 'prompt',
  simulations: 'simulation',
  'sip-trunks': 'sipTrunk',
  tools: 'tool',
  'transfer-offers': 'transferOffer',
  verifications: 'numberVerification',
  'webhook-deliveries': 'webhookDelivery',
  'webhook-endpoints': 'webhookEndpoint',
};

export type Belongings = Readonly<Partial<Record<Kind, number | string>>>;

/** Gives an account one of everything, all of it named with `mark`, so that a leak can be seen. */
export async function fillAccount(
  app: TestApp,
  account: TestAccount,
  mark: string,
): Promise<Record<Kind, number | string>> {
  const as = app.as(account);
  const post = async (path: string, body: object): Promise<number> =>
    (await as.post(path).send(body).expect(201)).body.data.id;

  const phoneNumber = await addNumber(app, account, mark);
  const sipTrunk = await post('/api/user/phone-numbers/sip-trunks', {
    ...extensionBody(account.userId),
    nickname: mark,
  });
  const [verification] = await app.query<{ id: number }>(
    `INSERT INTO number_verifications (user_id, call_key, phone_number, country_code, language, caller_number, carrier,
       status, called_at, ended_at, expires_at)
     VALUES ($1, gen_random_uuid(), '+5511987654300', 'BR', 'pt', $2, 'sandbox', 'verified', now(), now(), now())
     RETURNING id`,
    [account.userId, mark],
  );
  const folder = await post('/api/user/folder', { name: mark });
  const label = await post('/api/user/label', { name: mark });
  const tool = await createTool(app, account, { description: mark });
  const { id: assistant, uuid } = await createAssistant(app, account, {
    name: mark,
    type: 'outbound',
    tool_ids: [tool],
    folder_id: folder,
    label_ids: [label],
  });
  await as
    .put(`/api/user/phone-numbers/${phoneNumber}/routing`)
    .send({
      hours: { timezone: 'UTC', weekly: [{ days: ['monday'], from: '09:00', to: '18:00' }] },
      closed: { action: 'assistant', assistant_id: assistant },
      lookup_url: `https://example.com/${mark}`,
    })
    .expect(200);
  await app.query(
    `INSERT INTO number_lookups (phone_number_id, offer_id, user_id, status, ms) VALUES ($1, $2, $3, 'ok', 20)`,
    [phoneNumber, mark, account.userId],
  );
  await app.query(
    'INSERT INTO member_availabilities (user_id, is_available, since, seen_at) VALUES ($1, true, now(), now())',
    [account.userId],
  );
  const conversation = await openConversation(app, { id: assistant, uuid }, { variables: { mark } }, account);
  await as
    .put(`/api/user/conversations/${conversation}/tags`)
    .send({ tags: [mark] })
    .expect(200);
  const campaign = await post('/api/user/campaign', {
    name: mark,
    assistant_id: assistant,
    phone_number_ids: [phoneNumber],
  });
  const lead = await addLead(app, account, campaign, mark);
  const importRun = await importLeads(app, account, campaign);
  await as.post('/api/user/api-keys').send({ name: mark }).expect(201);
  const [key] = await app.query<{ id: number }>('SELECT id FROM api_keys WHERE user_id = $1 AND name = $2', [
    account.userId,
    mark,
  ]);
  const knowledgebase = await post('/api/user/knowledgebases', { name: mark });
  const document = await post(`/api/user/knowledgebases/${knowledgebase}/documents`, {
    name: mark,
    type: 'website',
    url: 'https://example.com/',
  });
  await addAlert(app, account, assistant);
  const mcpServer = await post('/api/user/mcp-servers', {
    name: `srv${account.userId}`,
    url: `https://example.com/${mark}`,
    headers: [{ name: 'X-Key', value: `${mark}-0123456789` }],
  });
  const call = await addCall(app, account, { assistant, campaign, mark });
  const callNote = await post(`/api/user/calls/${call}/notes`, { text: mark });
  await as
    .put(`/api/user/calls/${call}/tags`)
    .send({ tags: [mark] })
    .expect(200);
  const [callShare] = await app.query<{ id: number }>(
    `INSERT INTO call_shares (user_id, call_id, token_hash, expires_at)
     VALUES ($1, $2, sha256($3::bytea), now() + interval '1 day') RETURNING id`,
    [account.userId, call, `${mark} ${call}`],
  );
  const [transferOffer] = await app.query<{ id: number }>(
    `INSERT INTO transfer_offers (user_id, call_id, role, briefing, expires_at)
     VALUES ($1, $2, 'operator', $3, now() + interval '1 day') RETURNING id`,
    [account.userId, call, mark],
  );
  const simulation = await as
    .post(`/api/user/assistant/${assistant}/simulations`)
    .send({ name: mark, customer: { type: 'script', lines: [mark] }, checks: [{ type: 'says', text: mark }] })
    .expect(202);
  const prompts = await as.get(`/api/user/assistant/${assistant}/prompts`).expect(200);
  return {
    accountExport: await addAccountExport(app, account),
    apiKey: key?.id ?? 0,
    assistant,
    assistantUuid: uuid,
    call,
    callNote,
    callShare: callShare?.id ?? 0,
    campaign,
    conversation,
    doNotCall: await post('/api/user/do-not-call', { phone_number: '+5511912340000', reason: mark }),
    document,
    erasure: await addErasure(app, account),
    folder,
    importRun,
    invitation: await addInvitation(app, account),
    knowledgebase,
    label,
    lead,
    mcpServer,
    mcpTool: await addMcpTool(app, account, mcpServer, mark),
    member: await addMember(app, account, mark),
    numberVerification: verification?.id ?? 0,
    phoneNumber,
    prompt: prompts.body.data[0].id,
    savedReply: await post('/api/user/saved-replies', { shortcut: mark, text: mark }),
    session: await addSession(app, account, mark),
    simulation: simulation.body.data.id,
    sipTrunk,
    tool,
    transferOffer: transferOffer?.id ?? 0,
    webhookDelivery: await addDelivery(app, account, mark),
    webhookEndpoint: await post('/api/user/webhook-endpoints', {
      url: `https://example.com/${mark}`,
      description: mark,
    }),
  };
}

export const extensionBody = (seed: number) =>
  sipTrunkBody({ sip_trunk_type: 'extension', phone_number: String(1000 + seed), country_code: 'BR' });

async function addLead(app: TestApp, account: TestAccount, campaign: number, mark: string): Promise<number> {
  const { body } = await app
    .as(account)
    .post('/api/user/lead')
    .send({ campaign_id: campaign, phone_number: '+5511987654321', variables: { mark } })
    .expect(200);
  return body.data.id;
}

async function importLeads(app: TestApp, account: TestAccount, campaign: number): Promise<number> {
  const { body } = await app
    .as(account)
    .post(`/api/user/campaigns/${campaign}/leads/import`)
    .set('Content-Type', 'text/csv')
    .send('phone_number\n+5511987650001\nno number\n')
    .expect(200);
  return body.data.id;
}

async function addCall(
  app: TestApp,
  { userId }: TestAccount,
  of: { assistant: number; campaign: number; mark: string },
): Promise<number> {
  const [row] = await app.query<{ id: number }>(
    `INSERT INTO calls (user_id, assistant_id, assistant_name, campaign_id, campaign_name, type, status, client_phone_number)
     VALUES ($1, $2, $3, $4, $3, 'outbound', 'completed', '+5511987654321') RETURNING id`,
    [userId, of.assistant, of.mark, of.campaign],
  );
  return row?.id ?? 0;
}

/** As if the server had listed it. */
async function addMcpTool(
  app: TestApp,
  { userId }: TestAccount,
  server: number,
  mark: string,
): Promise<number> {
  const [row] = await app.query<{ id: number }>(
    `INSERT INTO mcp_tools (user_id, server_id, name, description, input_schema, definition_hash)
     VALUES ($1, $2, 'search', $3, '{"type": "object"}', 'hash') RETURNING id`,
    [userId, server, mark],
  );
  return row?.id ?? 0;
}

async function addDelivery(app: TestApp, { userId }: TestAccount, mark: string): Promise<number> {
  const webhooks = app.app.get(WebhooksService);
  await app.app.get(Transactions, { strict: false }).run((tx) =>
    webhooks.enqueue(
      {
        userId,
        kind: 'post-call',
        assistantId: null,
        subjectId: '1',
        url: `https://example.com/${mark}`,
        payload: { mark },
      },
      tx,
    ),
  );
  const [row] = await app.query<{ id: number }>('SELECT id FROM webhook_deliveries WHERE user_id = $1', [
    userId,
  ]);
  return row?.id ?? 0;
}

/** Shown with the name of its assistant, which is the mark. */
async function addInvitation(app: TestApp, account: TestAccount): Promise<number> {
  const { body } = await app
    .as(account)
    .post('/api/user/invitations')
    .send({ email: `invited${account.userId}@example.com`, role: 'viewer' })
    .expect(201);
  return body.data.id;
}

async function addMember(app: TestApp, { userId }: TestAccount, mark: string): Promise<number> {
  const [member] = await app.query<{ id: number }>(
    `INSERT INTO members (user_id, name, email, password_hash, role)
     VALUES ($1, $2, $3, 'scrypt$1', 'operator') RETURNING id`,
    [userId, mark, `member-of-${userId}@example.com`],
  );
  return member?.id ?? 0;
}

async function addAlert(app: TestApp, { userId }: TestAccount, assistant: number): Promise<void> {
  await app.query(
    `INSERT INTO alerts (user_id, limit_name, assistant_id, day, value, resets_at)
     VALUES ($1, 'messages_per_hour', $2, current_date, 500, now())`,
    [userId, assistant],
  );
}

async function addSession(app: TestApp, { userId }: TestAccount, mark: string): Promise<number> {
  const [row] = await app.query<{ id: number }>(
    `INSERT INTO sessions (user_id, token_hash, expires_at, user_agent)
     VALUES ($1, sha256($2::bytea), now() + interval '1 day', $2) RETURNING id`,
    [userId, mark],
  );
  return row?.id ?? 0;
}

async function addErasure(app: TestApp, account: TestAccount): Promise<number> {
  const { body } = await app
    .as(account)
    .post('/api/user/privacy/erase')
    .send({ phone_number: '+5511900000009' })
    .expect(202);
  return body.data.id;
}

async function addAccountExport(app: TestApp, account: TestAccount): Promise<number> {
  const { body } = await app.as(account).post('/api/user/privacy/account-exports').expect(202);
  return body.data.id;
}

async function addNumber(app: TestApp, { userId }: TestAccount, mark: string): Promise<number> {
  const [row] = await app.query<{ id: number }>(
    `INSERT INTO phone_numbers (user_id, phone_number, nickname, country_code, type)
     VALUES ($1, $2, $3, 'BR', 'normal') RETURNING id`,
    [userId, `+55119${String(userId).slice(-8).padStart(8, '7')}`, mark],
  );
  return row?.id ?? 0;
}
