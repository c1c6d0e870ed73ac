import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type TestAccount, TestApp } from '../support/app.js';
import {
  createCampaign,
  createLead,
  createOutboundAssistant,
  phoneNumber,
} from '../support/campaign-builders.js';

const PLAIN = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/;
const LEAD_NOT_FOUND = { message: 'Contato não encontrado' };
const CAMPAIGN_NOT_FOUND = { message: 'Campanha não encontrada' };
const DUPLICATE = { message: 'Este número de telefone já existe nesta campanha' };

let app: TestApp;
let owner: TestAccount;
let stranger: TestAccount;
let campaign: number;
let foreignCampaign: number;

beforeAll(async () => {
  app = await TestApp.start();
  stranger = await app.account();
  foreignCampaign = await createCampaign(app, stranger);
});

beforeEach(async () => {
  owner = await app.account();
  campaign = await createCampaign(app, owner, { name: 'Renovação' });
});

afterAll(() => app.stop());

const post = (body: object) => app.as(owner).post('/api/user/lead').send(body);
const put = (id: number | string, body: object | string) =>
  app.as(owner).put(`/api/user/leads/${id}`).set('Content-Type', 'application/json').send(body);
const read = async (id: number) => (await app.as(owner).get(`/api/user/leads/${id}`).expect(200)).body;
/** A lead that was given up, and its two contacts; it is the turn of the first one. */
async function withTurnOfFirst(): Promise<{ parent: number; first: number; second: number }> {
  const parent = await createLead(app, owner, campaign, {
    phone_number: phoneNumber(11),
    secondary_contacts: [{ phone_number: phoneNumber(12) }, { phone_number: phoneNumber(13) }],
  });
  const [first, second] = (await read(parent)).secondary_contacts.map(({ id }: { id: number }) => id);
  await app.query("UPDATE lead_dials SET state = 'done' WHERE lead_id = $1", [parent]);
  await app.query("UPDATE lead_dials SET due_at = now() + interval '1 hour' WHERE lead_id = $1", [first]);
  return { parent, first, second };
}
const dialOf = async (lead: number) =>
  (await app.query('SELECT state, due_at <= now() AS due FROM lead_dials WHERE lead_id = $1', [lead]))[0];
const countLeads = async () =>
  (
    await app.query<{ n: number }>('SELECT count(*)::int AS n FROM leads WHERE user_id = $1', [owner.userId])
  )[0]?.n;

describe('POST /api/user/lead', () => {
  // spec: service.run-outbound-campaigns, campaign.campaign-holds-leads, lead.id, lead.phone_number
  // spec: lead.fields-returned-read
  it('answers 200 {message, data} with the lead in E.164, its campaign and times as YYYY-MM-DD HH:MM:SS', async () => {
    const { body } = await post({
      campaign_id: campaign,
      phone_number: '(11) 98765-4321',
      variables: { name: 'Ana', age: 30 },
    }).expect(200);
    expect(body).toEqual({
      message: 'Contato criado com sucesso',
      data: {
        id: expect.any(Number),
        campaign_id: campaign,
        parent_id: null,
        phone_number: '+5511987654321',
        variables: { name: 'Ana', age: 30 },
        status: 'created',
        refusal_reason: null,
        created_at: expect.stringMatching(PLAIN),
        updated_at: expect.stringMatching(PLAIN),
        campaign: { id: campaign, name: 'Renovação' },
        secondary_contacts: [],
      },
    });
    expect(await read(body.data.id)).toEqual(body.data);
  });

  // spec: lead.phone_number
  it("reads a national number as one of the account's country", async () => {
    await app.query("UPDATE users SET default_country = 'DE' WHERE id = $1", [owner.userId]);
    const { body } = await post({ campaign_id: campaign, phone_number: '030 901820' }).expect(200);
    expect(body.data.phone_number).toBe('+4930901820');
  });

  // spec: lead.variables
  it("begins with the assistant's variables, which the lead's own overrule", async () => {
    const assistant = await createOutboundAssistant(app, owner, {
      variables: { company: 'Prosa', tone: 'calm' },
    });
    const id = await createCampaign(app, owner, { assistant_id: assistant });
    const { body } = await post({
      campaign_id: id,
      phone_number: phoneNumber(1),
      variables: { tone: 'warm' },
      secondary_contacts: [{ phone_number: phoneNumber(2) }],
    }).expect(200);
    expect(body.data.variables).toEqual({ company: 'Prosa', tone: 'warm' });
    expect(body.data.secondary_contacts[0].variables).toEqual({ company: 'Prosa', tone: 'calm' });
  });

  it('makes secondary contacts leads of their own, in the order given', async () => {
    const { body } = await post({
      campaign_id: campaign,
      phone_number: phoneNumber(1),
      secondary_contacts: [
        { phone_number: phoneNumber(3), variables: { name: 'Bia' } },
        { phone_number: phoneNumber(2) },
      ],
    }).expect(200);
    expect(body.data.secondary_contacts).toEqual([
      {
        id: expect.any(Number),
        phone_number: phoneNumber(3),
        variables: { name: 'Bia' },
        status: 'created',
        refusal_reason: null,
        created_at: expect.stringMatching(PLAIN),
        updated_at: expect.stringMatching(PLAIN),
      },
      expect.objectContaining({ phone_number: phoneNumber(2), variables: {} }),
    ]);
    const own = await read(body.data.secondary_contacts[0].id);
    expect(own).toMatchObject({ parent_id: body.data.id, campaign_id: campaign, secondary_contacts: [] });
  });

  it('makes the lead due at once and its secondary contacts only when their turn comes', async () => {
    await post({
      campaign_id: campaign,
      phone_number: phoneNumber(1),
      secondary_contacts: [{ phone_number: phoneNumber(2) }],
    }).expect(200);
    const dials = await app.query(
      `SELECT state, attempts, campaign_id, due_at <= now() AS due FROM lead_dials WHERE user_id = $1 ORDER BY lead_id`,
      [owner.userId],
    );
    expect(dials).toEqual([
      { state: 'waiting', attempts: 0, campaign_id: campaign, due: true },
      { state: 'waiting', attempts: 0, campaign_id: campaign, due: null },
    ]);
  });

  it('refuses a number the campaign has with 422 {message}, unless allow_dupplicate', async () => {
    const body = { campaign_id: campaign, phone_number: phoneNumber(1) };
    await post(body).expect(200);
    await post({ ...body, phone_number: '11 98000-0001' }).expect(422, DUPLICATE);
    await post({ ...body, allow_dupplicate: false }).expect(422, DUPLICATE);
    await post({ ...body, allow_dupplicate: true }).expect(200);
    await post({ ...body, allow_dupplicate: true }).expect(200);
    await post({ ...body, campaign_id: await createCampaign(app, owner) }).expect(200);
  });

  it('refuses a number that only a wanted duplicate holds', async () => {
    const body = { campaign_id: campaign, phone_number: phoneNumber(1) };
    await post({ ...body, allow_dupplicate: true }).expect(200);
    await post(body).expect(422, DUPLICATE);
  });

  it('refuses a duplicate among secondary contacts, and then takes none of them', async () => {
    const body = { campaign_id: campaign, phone_number: phoneNumber(1) };
    const contact = { phone_number: phoneNumber(2) };
    await post({ ...body, secondary_contacts: [contact, contact] }).expect(422, DUPLICATE);
    await post({ ...body, secondary_contacts: [{ phone_number: phoneNumber(1) }] }).expect(422, DUPLICATE);
    await createLead(app, owner, campaign, contact);
    await post({ ...body, secondary_contacts: [contact] }).expect(422, DUPLICATE);
    expect(await countLeads()).toBe(1);
  });

  it('takes one of 30 parallel leads with the same number', async () => {
    const body = { campaign_id: campaign, phone_number: phoneNumber(1) };
    const answers = await Promise.all(Array.from({ length: 30 }, () => post(body)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const refused = answers.filter(({ status }) => status === 422);
    expect(refused).toHaveLength(29);
    expect(refused.map((answer) => answer.body)).toEqual(refused.map(() => DUPLICATE));
  });

  it('answers 404 {message} for a missing or foreign campaign', async () => {
    for (const id of [foreignCampaign, 2_000_000_000]) {
      await post({ campaign_id: id, phone_number: phoneNumber(1) }).expect(404, CAMPAIGN_NOT_FOUND);
    }
  });

  it('names every wrong field in a 422 validation body', async () => {
    const good = { campaign_id: campaign, phone_number: phoneNumber(1) };
    const wrong: [object, string[]][] = [
      [{ campaign_id: undefined }, ['campaign_id']],
      [{ phone_number: undefined }, ['phone_number']],
      [{ phone_number: '123' }, ['phone_number']],
      [{ phone_number: 'x'.repeat(10_000) }, ['phone_number']],
      [{ phone_number: 5511987654321 }, ['phone_number']],
      [{ variables: [] }, ['variables']],
      [{ variables: 'x' }, ['variables']],
      [{ variables: { a: 'x'.repeat(70_000) } }, ['variables']],
      [{ variables: { a: 'nul\0' } }, ['variables.a']],
      [{ allow_dupplicate: 'yes' }, ['allow_dupplicate']],
      [{ secondary_contacts: 'x' }, ['secondary_contacts']],
      [{ secondary_contacts: [{}] }, ['secondary_contacts.0.phone_number']],
      [
        { phone_number: '1', secondary_contacts: [{ phone_number: phoneNumber(2) }, { phone_number: '2' }] },
        ['phone_number', 'secondary_contacts.1.phone_number'],
      ],
      [
        { secondary_contacts: Array.from({ length: 11 }, (_, i) => ({ phone_number: phoneNumber(i + 2) })) },
        ['secondary_contacts'],
      ],
    ];
    for (const [overrides, fields] of wrong) {
      const { body } = await post({ ...good, ...overrides }).expect(422);
      expect([overrides, Object.keys(body.errors)]).toEqual([overrides, fields]);
      expect(body).toEqual({ message: expect.any(String), errors: expect.any(Object) });
    }
    expect(await countLeads()).toBe(0);
  });
});

describe('GET /api/user/leads/{id}', () => {
  // spec: update-lead.lead-not-found
  it('answers 404 {message} for a missing, a foreign and a wrong id alike', async () => {
    const foreign = await createLead(app, stranger, foreignCampaign, { allow_dupplicate: true });
    for (const id of [foreign, 2_000_000_000, 0, 'abc', '1e3']) {
      await app.as(owner).get(`/api/user/leads/${id}`).expect(404, LEAD_NOT_FOUND);
      await app.as(owner).delete(`/api/user/leads/${id}`).expect(404, LEAD_NOT_FOUND);
      await put(id, { variables: { a: 1 } }).expect(404, LEAD_NOT_FOUND);
    }
    const { body } = await app.as(stranger).get(`/api/user/leads/${foreign}`).expect(200);
    expect(body.variables).toEqual({});
  });

  it('needs a token', async () => {
    await app.http.get('/api/user/leads/1').expect(401, { message: 'Não autorizado' });
    await app.http.put('/api/user/leads/1').send({ nonsense: 1 }).expect(401, { message: 'Não autorizado' });
  });
});

describe('PUT /api/user/leads/{id}', () => {
  let lead: number;

  beforeEach(async () => {
    lead = await createLead(app, owner, campaign, { variables: { name: 'Ana', city: 'SP' } });
  });

  // spec: update-lead.all-fields-optional, update-lead.phone_number, update-lead.success
  it('changes only the fields present and answers {message}', async () => {
    const before = await read(lead);
    await put(lead, { phone_number: '(11) 98765-4321' }).expect(200, {
      message: 'Contato atualizado com sucesso',
    });
    expect(await read(lead)).toEqual({
      ...before,
      phone_number: '+5511987654321',
      updated_at: expect.stringMatching(PLAIN),
    });
  });

  it('changes nothing, not even the time of the last change, when nothing is sent', async () => {
    await app.query("UPDATE leads SET updated_at = updated_at - interval '1 day' WHERE id = $1", [lead]);
    const before = await read(lead);
    await put(lead, {}).expect(200, { message: 'Contato atualizado com sucesso' });
    expect(await read(lead)).toEqual(before);
    await put(999_999, {}).expect(404);
  });

  // spec: update-lead.variables
  it('merges variables into the existing ones, not replacing them', async () => {
    await put(lead, { variables: { city: 'Rio', plan: { name: 'gold' } } }).expect(200);
    expect((await read(lead)).variables).toEqual({ name: 'Ana', city: 'Rio', plan: { name: 'gold' } });
  });

  it('keeps all keys of 100 parallel merges', async () => {
    const keys = Array.from({ length: 100 }, (_, i) => `k${i}`);
    await Promise.all(keys.map((key) => put(lead, { variables: { [key]: key } }).expect(200)));
    expect((await read(lead)).variables).toEqual({
      name: 'Ana',
      city: 'SP',
      ...Object.fromEntries(keys.map((key) => [key, key])),
    });
  });

  it('refuses merges that would grow the variables without end', async () => {
    const statuses = [];
    for (let i = 0; i < 5; i++) {
      statuses.push((await put(lead, { variables: { [`k${i}`]: 'x'.repeat(60_000) } })).status);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 422]);
    expect(Object.keys((await read(lead)).variables)).toHaveLength(6);
  });

  it.each(['prototype', 'toString', 'valueOf', '__proto__'])(
    'refuses a variable %s, which would be lost, and changes nothing',
    async (name) => {
      const { body } = await put(lead, `{"variables": {"name": "Eva", "${name}": "X"}}`).expect(422);
      const message = `O campo variables.${name} tem um nome que não pode ser usado.`;
      expect(body).toEqual({ message, errors: { [`variables.${name}`]: [message] } });
      expect((await read(lead)).variables).toEqual({ name: 'Ana', city: 'SP' });
    },
  );

  // spec: update-lead.any-other-field
  it('answers any other field with `Campos inválidos: …`, as sent, before any other check', async () => {
    const expected = { message: 'Campos inválidos: zeta, alpha' };
    await put(lead, { zeta: 1, phone_number: 'x', alpha: null }).expect(422, expected);
    await put(lead, { zeta: 1, status: 'created', variables: 'x', alpha: 2 }).expect(422, expected);
    await put(2_000_000_000, { zeta: 1, alpha: 2 }).expect(422, expected);
    await put(lead, '{"__proto__": 1, "id": 2}').expect(422, { message: 'Campos inválidos: __proto__, id' });
    expect((await read(lead)).phone_number).toBe(phoneNumber(1));
  });

  // spec: states.lead-transitions-not, update-lead.status, update-lead.validation-failure-message
  // spec: errors.update-lead-field
  it.each(['created', 'completed', 'reached-max-retries', 'other', null, 5])(
    'refuses the status %j: it is assigned automatically',
    async (status) => {
      const { body } = await put(lead, { status, variables: { name: 'Eva' } }).expect(422);
      const message = 'O campo status é atribuído automaticamente e não pode ser alterado manualmente.';
      expect(body).toEqual({ message, errors: { status: [message] } });
      expect(await read(lead)).toMatchObject({ status: 'created', variables: { name: 'Ana' } });
    },
  );

  // spec: update-lead.phone_number, update-lead.invalid-phone-number, errors.update-lead-phone
  it.each(['', '123', 'abc', '+5511'])(
    'answers an invalid phone number %j with 422 {message}',
    async (phone) => {
      await put(lead, { phone_number: phone, variables: { name: 'Eva' } }).expect(422, {
        message: 'Número de telefone inválido',
      });
      expect((await read(lead)).variables.name).toBe('Ana');
    },
  );

  it.each([
    [{ campaign_id: 'x' }, 'campaign_id'],
    [{ campaign_id: null }, 'campaign_id'],
    [{ phone_number: 5 }, 'phone_number'],
    [{ phone_number: null }, 'phone_number'],
    [{ variables: [1] }, 'variables'],
    [{ variables: null }, 'variables'],
  ])('answers a field of the wrong type, %j, with a validation body', async (body, field) => {
    const response = await put(lead, body).expect(422);
    expect(response.body).toEqual({ message: expect.any(String), errors: { [field]: [expect.any(String)] } });
  });

  // spec: update-lead.campaign_id, update-lead.campaign-not-found, errors.update-lead-campaign
  it('answers 404 {message} for a campaign that is missing or foreign', async () => {
    for (const id of [foreignCampaign, 2_000_000_000]) {
      await put(lead, { campaign_id: id }).expect(404, CAMPAIGN_NOT_FOUND);
    }
    expect((await read(lead)).campaign_id).toBe(campaign);
  });

  it('moves a lead with its secondary contacts and dials to another campaign', async () => {
    const other = await createCampaign(app, owner, { name: 'Outra' });
    const moved = await createLead(app, owner, campaign, {
      phone_number: phoneNumber(5),
      secondary_contacts: [{ phone_number: phoneNumber(6) }],
    });
    await put(moved, { campaign_id: other }).expect(200);
    expect(await read(moved)).toMatchObject({
      campaign: { id: other, name: 'Outra' },
      secondary_contacts: [{ phone_number: phoneNumber(6) }],
    });
    const dials = await app.query(
      `SELECT lead_dials.campaign_id AS dial, leads.campaign_id AS lead FROM lead_dials JOIN leads ON leads.id = lead_id
       WHERE leads.id = $1 OR leads.parent_id = $1`,
      [moved],
    );
    expect(dials).toEqual([
      { dial: other, lead: other },
      { dial: other, lead: other },
    ]);
  });

  it('makes a secondary contact that is moved alone a lead of its own, due at once', async () => {
    const other = await createCampaign(app, owner);
    await put(lead, { variables: {} }).expect(200);
    const { body } = await post({
      campaign_id: campaign,
      phone_number: phoneNumber(5),
      secondary_contacts: [{ phone_number: phoneNumber(6) }],
    });
    const contact = body.data.secondary_contacts[0].id;
    await put(contact, { campaign_id: other }).expect(200);
    expect(await read(contact)).toMatchObject({ parent_id: null, campaign_id: other });
    expect((await read(body.data.id)).secondary_contacts).toEqual([]);
    const due = await app.query('SELECT due_at <= now() AS due FROM lead_dials WHERE lead_id = $1', [
      contact,
    ]);
    expect(due).toEqual([{ due: true }]);
  });

  it('gives the turn of a secondary contact that is moved alone to the next one', async () => {
    const other = await createCampaign(app, owner);
    const { first, second } = await withTurnOfFirst();
    await put(first, { phone_number: phoneNumber(7), campaign_id: campaign }).expect(200);
    expect(await dialOf(second)).toEqual({ state: 'waiting', due: null });
    await put(first, { campaign_id: other }).expect(200);
    expect(await dialOf(second)).toEqual({ state: 'waiting', due: true });
  });

  it('answers 409 {message} for a secondary contact that is to be moved alone while it is called', async () => {
    const other = await createCampaign(app, owner);
    const { parent, first } = await withTurnOfFirst();
    await app.query("UPDATE lead_dials SET state = 'calling' WHERE lead_id = $1", [first]);
    await put(first, { campaign_id: other }).expect(409, {
      message: 'O contato está em uma ligação e não pode ser movido agora',
    });
    expect(await read(first)).toMatchObject({ parent_id: parent, campaign_id: campaign });
  });

  it('has a secondary contact called that is moved alone after it was passed over', async () => {
    const other = await createCampaign(app, owner);
    const { first, second } = await withTurnOfFirst();
    await app.query("UPDATE lead_dials SET state = 'done' WHERE lead_id = ANY($1)", [[first, second]]);
    await app.query("UPDATE leads SET status = 'completed' WHERE id = $1", [first]);
    for (const id of [first, second]) await put(id, { campaign_id: other }).expect(200);
    expect(await dialOf(first)).toMatchObject({ state: 'done' });
    expect(await dialOf(second)).toEqual({ state: 'waiting', due: true });
  });

  it('refuses a number or a campaign that makes it a duplicate with 422 {message}', async () => {
    const other = await createCampaign(app, owner);
    await createLead(app, owner, campaign, { phone_number: phoneNumber(2) });
    await createLead(app, owner, other);
    await put(lead, { phone_number: phoneNumber(2) }).expect(422, DUPLICATE);
    await put(lead, { campaign_id: other }).expect(422, DUPLICATE);
    await put(lead, { campaign_id: campaign, phone_number: phoneNumber(1) }).expect(200);
    await put(lead, { campaign_id: other, phone_number: phoneNumber(3) }).expect(200);
  });

  it('refuses a campaign that has the number of a secondary contact with 422 {message}', async () => {
    const other = await createCampaign(app, owner);
    const { parent } = await withTurnOfFirst();
    await createLead(app, owner, other, { phone_number: phoneNumber(13), allow_dupplicate: true });
    await put(parent, { campaign_id: other }).expect(422, DUPLICATE);
    expect(await read(parent)).toMatchObject({ campaign_id: campaign });
  });
});

describe('DELETE /api/user/leads/{id}', () => {
  it('answers {message} and removes the lead with its secondary contacts', async () => {
    const lead = await createLead(app, owner, campaign, {
      secondary_contacts: [{ phone_number: phoneNumber(2) }],
    });
    await createLead(app, owner, campaign, { phone_number: phoneNumber(3) });
    await app
      .as(owner)
      .delete(`/api/user/leads/${lead}`)
      .expect(200, { message: 'Contato excluído com sucesso' });
    await app.as(owner).get(`/api/user/leads/${lead}`).expect(404);
    expect(await countLeads()).toBe(1);
  });

  it('gives the turn of a secondary contact to the next one', async () => {
    const { parent, first, second } = await withTurnOfFirst();
    await app.query("UPDATE lead_dials SET state = 'calling' WHERE lead_id = $1", [parent]);
    await app.as(owner).delete(`/api/user/leads/${first}`).expect(200);
    expect(await dialOf(second)).toEqual({ state: 'waiting', due: true });
  });

  it('answers 409 {message} while the lead or a secondary contact is being called', async () => {
    const lead = await createLead(app, owner, campaign, {
      secondary_contacts: [{ phone_number: phoneNumber(2) }],
    });
    const secondary = (await read(lead)).secondary_contacts[0].id;
    await app.query("UPDATE lead_dials SET state = 'calling' WHERE lead_id = $1", [secondary]);
    for (const id of [lead, secondary]) {
      await app
        .as(owner)
        .delete(`/api/user/leads/${id}`)
        .expect(409, { message: 'O contato está em uma ligação e não pode ser excluído agora' });
    }
    await app.query("UPDATE lead_dials SET state = 'done' WHERE lead_id = $1", [secondary]);
    await app.as(owner).delete(`/api/user/leads/${lead}`).expect(200);
  });
});
