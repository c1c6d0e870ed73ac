import type { TestAccount, TestApp } from './app.js';
import { createAssistant } from './builders.js';

/** Valid mobile numbers of Brazil, each another one. */
export function phoneNumber(n: number): string {
  return `+55119${String(80_000_000 + n)}`;
}

let numbersAdded = 0;

/** A number of the account, as if it had been bought. */
export async function addPhoneNumber(app: TestApp, account: TestAccount): Promise<number> {
  const [row] = await app.query<{ id: number }>(
    `INSERT INTO phone_numbers (user_id, phone_number, country_code, type) VALUES ($1, $2, 'BR', 'normal') RETURNING id`,
    [account.userId, phoneNumber(1_000_000 + numbersAdded++)],
  );
  return row!.id;
}

export async function createOutboundAssistant(
  app: TestApp,
  account: TestAccount,
  overrides: Record<string, unknown> = {},
): Promise<number> {
  const { id } = await createAssistant(app, account, { type: 'outbound', ...overrides });
  return id;
}

/** A campaign with an assistant of its own, unless one is named. */
export async function createCampaign(
  app: TestApp,
  account: TestAccount,
  overrides: Record<string, unknown> = {},
): Promise<number> {
  const assistant = overrides.assistant_id ?? (await createOutboundAssistant(app, account));
  const { body } = await app
    .as(account)
    .post('/api/user/campaign')
    .send({ name: 'Renovação', assistant_id: assistant, ...overrides })
    .expect(201);
  return body.data.id;
}

export async function createLead(
  app: TestApp,
  account: TestAccount,
  campaignId: number,
  overrides: Record<string, unknown> = {},
): Promise<number> {
  const { body } = await app
    .as(account)
    .post('/api/user/lead')
    .send({ campaign_id: campaignId, phone_number: phoneNumber(1), ...overrides })
    .expect(200);
  return body.data.id;
}

/** A campaign that lacks nothing to start: active assistant, number and lead (the balance is the account's). */
export async function createStartableCampaign(app: TestApp, account: TestAccount): Promise<number> {
  const assistant = await createOutboundAssistant(app, account);
  await app.as(account).put(`/api/user/assistant/${assistant}`).send({ status: 'active' }).expect(200);
  const number = await addPhoneNumber(app, account);
  const id = await createCampaign(app, account, { assistant_id: assistant, phone_number_ids: [number] });
  await createLead(app, account, id);
  return id;
}
