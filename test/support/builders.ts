import type { TestAccount, TestApp } from './app.js';

/** The smallest valid assistant; tests name only what they are about. */
export function assistantBody(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    name: 'Recepção',
    voice_id: 1,
    language_id: 1,
    type: 'inbound',
    mode: 'pipeline',
    timezone: 'America/Sao_Paulo',
    initial_message: 'Olá! Como posso ajudar?',
    system_prompt: 'Você atende os clientes da Padaria Central. A padaria abre às 6 horas.',
    llm_model_id: 1,
    ...overrides,
  };
}

/** A tool of the least fields. */
export function toolBody(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    name: 'get_weather',
    description: 'Previsão do tempo de uma cidade',
    endpoint: 'https://api.example.com/weather/{city}',
    method: 'GET',
    ...overrides,
  };
}

let trunks = 0;

/** A SIP trunk of the least fields, whose user name no other one has. */
export function sipTrunkBody(overrides: Record<string, unknown> = {}) {
  return {
    sip_trunk_type: 'number',
    phone_number: '+14155550100',
    sip_username: `user${++trunks}`,
    sip_password: 'correct horse battery',
    sip_address: 'sip.example.com',
    sip_calling_format: '+e164',
    inbound_authorization_type: 'auth',
    country_code: 'US',
    ...overrides,
  };
}

export interface CreatedAssistant {
  readonly id: number;
  readonly uuid: string;
}

export interface CreatedMember {
  readonly id: number;
  readonly name: string;
  readonly email: string;
  readonly token: string;
}

export async function createAssistant(
  app: TestApp,
  account: TestAccount,
  overrides: Record<string, unknown> = {},
): Promise<CreatedAssistant> {
  const created = await app
    .as(account)
    .post('/api/user/assistant')
    .send(assistantBody(overrides))
    .expect(201);
  const { body } = await app.as(account).get(`/api/user/assistant/${created.body.data.id}`).expect(200);
  return { id: body.id, uuid: body.uuid };
}

export async function createTool(
  app: TestApp,
  account: TestAccount,
  overrides: Record<string, unknown> = {},
): Promise<number> {
  const { body } = await app.as(account).post('/api/user/tools').send(toolBody(overrides)).expect(201);
  return body.data.id;
}

export async function createSipTrunk(
  app: TestApp,
  account: TestAccount,
  overrides: Record<string, unknown> = {},
): Promise<number> {
  const { body } = await app
    .as(account)
    .post('/api/user/phone-numbers/sip-trunks')
    .send(sipTrunkBody(overrides))
    .expect(201);
  return body.data.id;
}

let members = 0;

/** A person who has joined the account, with the session that began then. */
export async function addMember(
  app: TestApp,
  account: Pick<TestAccount, 'token'>,
  details: { role?: string; name?: string; email?: string; password?: string } = {},
): Promise<CreatedMember> {
  const { role = 'operator', name = 'Bia', password = 'correct horse battery' } = details;
  const email = details.email ?? `member${++members}@example.com`;
  const invited = await app.as(account).post('/api/user/invitations').send({ email, role }).expect(201);
  const person = { token: invited.body.data.token, name, password };
  const { body } = await app.http.post('/api/auth/join').send(person).expect(201);
  const [row] = await app.query<{ id: number }>('SELECT id FROM members WHERE email = $1', [email]);
  return { id: row!.id, name, email, token: body.token };
}

/** A message of the customer, who needs no token. */
export function sendMessage(app: TestApp, conversation: string, message: unknown) {
  return app.http.post(`/api/conversations/${conversation}/messages`).send({ message });
}

/** Opens a conversation and returns its uuid. */
export async function openConversation(
  app: TestApp,
  assistant: CreatedAssistant,
  body: Record<string, unknown> = {},
  account?: TestAccount,
): Promise<string> {
  const request = app.http.post('/api/conversations');
  if (account) void request.set('Authorization', `Bearer ${account.token}`);
  const response = await request.send({ assistant_id: assistant.uuid, ...body }).expect(200);
  return response.body.conversation_id;
}
