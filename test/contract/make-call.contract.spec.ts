import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type TestAccount, TestApp } from '../support/app.js';
import { createAssistant, type CreatedAssistant } from '../support/builders.js';
import { addPhoneNumber } from '../support/campaign-builders.js';

const NUMBER = '+5511987654300';

describe('calls on request', () => {
  let app: TestApp;
  let owner: TestAccount;
  let assistant: CreatedAssistant;

  // Without the worker role nobody dials: what is written stays as it is.
  beforeAll(async () => {
    app = await TestApp.start({ CALL_PRICE_PER_MINUTE: '0.06', CARRIER_PRICE_PER_MINUTE: '0.012' });
    owner = await app.account({ balanceUsd: 100 });
    assistant = await createAssistant(app, owner, { type: 'outbound', max_duration: 600, record: false });
  }, 60_000);
  afterAll(() => app.stop());

  const call = (account: TestAccount, body: object) => app.as(account).post('/api/user/make_call').send(body);
  const rowOf = async (id: number) => (await app.query('SELECT * FROM calls WHERE id = $1', [id]))[0];
  const heldBy = async ({ userId }: TestAccount) =>
    (
      await app.query<{ held: number }>('SELECT held_micros::int AS held FROM wallets WHERE user_id = $1', [
        userId,
      ])
    )[0]?.held;

  describe('POST /api/user/make_call', () => {
    it('answers 200 {message, call_id, status: "initiated"} and writes the call', async () => {
      const { body } = await call(owner, {
        phone_number: NUMBER,
        assistant_id: assistant.id,
        variables: { name: 'Ana' },
      }).expect(200);
      expect(body).toEqual({
        message: 'Chamada iniciada com sucesso',
        call_id: expect.any(Number),
        status: 'initiated',
      });
      expect(await rowOf(body.call_id)).toMatchObject({
        user_id: owner.userId,
        assistant_id: assistant.id,
        type: 'outbound',
        status: 'initiated',
        client_phone_number: NUMBER,
        input_variables: { name: 'Ana' },
        recording_enabled: false,
        attempt_id: expect.any(String),
      });
    });

    it('holds the price of the longest call', async () => {
      const account = await app.account({ balanceUsd: 1 });
      const { id } = await createAssistant(app, account, { type: 'outbound', max_duration: 300 });
      await call(account, { phone_number: NUMBER, assistant_id: id }).expect(200);
      expect(await heldBy(account)).toBe(5 * 72_000);
    });

    it('reads a number without country code as one of the account’s country', async () => {
      const { body } = await call(owner, {
        phone_number: '(11) 98765-4300',
        assistant_id: assistant.id,
      }).expect(200);
      expect(await rowOf(body.call_id)).toMatchObject({ client_phone_number: NUMBER });
    });

    it('calls from the number of the assistant, else from the first of the account', async () => {
      const account = await app.account({ balanceUsd: 10 });
      await addPhoneNumber(app, account);
      const second = await addPhoneNumber(app, account);
      const numbers = await app.query<{ phone_number: string }>(
        'SELECT phone_number FROM phone_numbers WHERE user_id = $1 ORDER BY id',
        [account.userId],
      );
      const without = await createAssistant(app, account, { type: 'outbound' });
      const having = await createAssistant(app, account, { type: 'outbound', phone_number_id: second });
      for (const [{ id }, number] of [
        [without, numbers[0]],
        [having, numbers[1]],
      ] as const) {
        const { body } = await call(account, { phone_number: NUMBER, assistant_id: id }).expect(200);
        expect(await rowOf(body.call_id)).toMatchObject({ assistant_phone_number: number?.phone_number });
      }
    });

    it.each(['abc', '+55', '123', '+5511987654300 ext. 4'])(
      'answers 400 {message} for the number %j',
      async (phoneNumber) => {
        const { body } = await call(owner, {
          phone_number: phoneNumber,
          assistant_id: assistant.id,
        }).expect(400);
        expect(body).toEqual({ message: 'Formato do número de telefone inválido' });
      },
    );

    it('answers 404 {message} for an assistant that is missing or another’s', async () => {
      const stranger = await app.account({ balanceUsd: 10 });
      const foreign = await createAssistant(app, stranger, { type: 'outbound' });
      for (const id of [foreign.id, 2_000_000_000]) {
        const { body } = await call(owner, { phone_number: NUMBER, assistant_id: id }).expect(404);
        expect(body).toEqual({ message: expect.any(String) });
      }
    });

    it('answers 422 {message} when the balance is too low, and writes nothing', async () => {
      const poor = await app.account({ balanceUsd: 0.01 });
      const { id } = await createAssistant(app, poor, { type: 'outbound' });
      const { body } = await call(poor, { phone_number: NUMBER, assistant_id: id }).expect(422);
      expect(body).toEqual({ message: expect.any(String) });
      expect(await app.query('SELECT id FROM calls WHERE user_id = $1', [poor.userId])).toEqual([]);
      expect(await heldBy(poor)).toBe(0);
    });

    it('answers 422 {message, errors} for a body that is wrong', async () => {
      const { body } = await call(owner, { variables: [] }).expect(422);
      expect(Object.keys(body.errors).sort()).toEqual(['assistant_id', 'phone_number', 'variables']);
    });

    it('answers 401 without a token', () => app.http.post('/api/user/make_call').send({}).expect(401));

    it('calls once for one Idempotency-Key', async () => {
      const key = randomUUID();
      const send = () =>
        call(owner, { phone_number: NUMBER, assistant_id: assistant.id }).set('Idempotency-Key', key);
      const first = await send().expect(200);
      const again = await send().expect(200);
      expect(again.body).toEqual(first.body);
      expect(again.headers['idempotent-replayed']).toBe('true');
    });

    it('answers 422 {message} for a number on the do-not-call list', async () => {
      const account = await app.account({ balanceUsd: 10 });
      const { id } = await createAssistant(app, account, { type: 'outbound' });
      await app.as(account).post('/api/user/do-not-call').send({ phone_number: NUMBER }).expect(201);
      const { body } = await call(account, { phone_number: NUMBER, assistant_id: id }).expect(422);
      expect(body).toEqual({ message: 'O número está na lista de não perturbe' });
    });

    it('keeps to the plan’s parallel calls, also when many ask at once', async () => {
      const account = await app.account({ balanceUsd: 100 });
      const { id } = await createAssistant(app, account, { type: 'outbound' });
      const answers = await Promise.all(
        Array.from({ length: 14 }, () => call(account, { phone_number: NUMBER, assistant_id: id })),
      );
      const statuses = answers.map(({ status }) => status);
      expect(statuses.filter((status) => status === 200)).toHaveLength(10);
      expect(statuses.filter((status) => status === 422)).toHaveLength(4);
    });
  });

  describe('DELETE /api/user/calls/{id}', () => {
    it('answers 409 {message} while the call is live', async () => {
      const { body } = await call(owner, { phone_number: NUMBER, assistant_id: assistant.id }).expect(200);
      const refused = await app.as(owner).delete(`/api/user/calls/${body.call_id}`).expect(409);
      expect(refused.body).toEqual({ message: expect.any(String) });
    });
  });
});
