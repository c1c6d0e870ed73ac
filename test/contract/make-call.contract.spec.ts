import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type request from 'supertest';
import { type TestAccount, TestApp } from '../support/app.js';
import { createAssistant, type CreatedAssistant } from '../support/builders.js';
import { addPhoneNumber, phoneNumber } from '../support/campaign-builders.js';

const NUMBER = '+5511987654300';

describe('calls on request', () => {
  let app: TestApp;
  let owner: TestAccount;
  let assistant: CreatedAssistant;

  // Without the worker role no call is dialled, so the stored rows do not change.
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
        phone_number: '(11) 98765-4301',
        assistant_id: assistant.id,
      }).expect(200);
      expect(await rowOf(body.call_id)).toMatchObject({ client_phone_number: '+5511987654301' });
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
      for (const [{ id }, number, to] of [
        [without, numbers[0], phoneNumber(1)],
        [having, numbers[1], phoneNumber(2)],
      ] as const) {
        const { body } = await call(account, { phone_number: to, assistant_id: id }).expect(200);
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

    it('answers 409 {message} while the number is being called already, and dials it once', async () => {
      const account = await app.account({ balanceUsd: 100 });
      const { id } = await createAssistant(app, account, { type: 'outbound' });
      await call(account, { phone_number: NUMBER, assistant_id: id }).expect(200);
      await app.query("UPDATE calls SET status = 'ringing' WHERE user_id = $1", [account.userId]);
      const { body } = await call(account, { phone_number: '11 98765-4300', assistant_id: id }).expect(409);
      expect(body).toEqual({
        message:
          'Já há uma ligação sendo iniciada para este número. Aguarde ou envie um cabeçalho Idempotency-Key',
      });
      expect(await app.query('SELECT id FROM calls WHERE user_id = $1', [account.userId])).toHaveLength(1);
      await call(account, { phone_number: phoneNumber(1), assistant_id: id }).expect(200);
    });

    it('accepts another call to the number once the first is answered, or from another account', async () => {
      const account = await app.account({ balanceUsd: 100 });
      const { id } = await createAssistant(app, account, { type: 'outbound' });
      await call(account, { phone_number: NUMBER, assistant_id: id }).expect(200);
      await app.query("UPDATE calls SET status = 'in-progress' WHERE user_id = $1", [account.userId]);
      await call(account, { phone_number: NUMBER, assistant_id: id }).expect(200);
      const other = await app.account({ balanceUsd: 100 });
      const others = await createAssistant(app, other, { type: 'outbound' });
      await call(other, { phone_number: NUMBER, assistant_id: others.id }).expect(200);
    });

    it('calls a number once of several requests at the same moment, unless their keys tell them apart', async () => {
      const account = await app.account({ balanceUsd: 100 });
      const { id } = await createAssistant(app, account, { type: 'outbound' });
      const statusesOf = async (send: () => request.Test) => {
        const answers = await Promise.all(Array.from({ length: 5 }, send));
        return answers.map(({ status }) => status).sort((a, b) => a - b);
      };
      const without = () => call(account, { phone_number: NUMBER, assistant_id: id });
      expect(await statusesOf(without)).toEqual([200, 409, 409, 409, 409]);
      const keyed = () => without().set('Idempotency-Key', randomUUID());
      expect(await statusesOf(keyed)).toEqual([200, 200, 200, 200, 200]);
    });

    it('answers 422 {message} for a number on the do-not-call list', async () => {
      const account = await app.account({ balanceUsd: 10 });
      const { id } = await createAssistant(app, account, { type: 'outbound' });
      await app.as(account).post('/api/user/do-not-call').send({ phone_number: NUMBER }).expect(201);
      const { body } = await call(account, { phone_number: NUMBER, assistant_id: id }).expect(422);
      expect(body).toEqual({ message: 'O número está na lista “não ligar”' });
    });

    it('keeps to the plan’s parallel calls, also when many ask at once', async () => {
      const account = await app.account({ balanceUsd: 100 });
      const { id } = await createAssistant(app, account, { type: 'outbound' });
      const answers = await Promise.all(
        Array.from({ length: 14 }, (_, n) =>
          call(account, { phone_number: phoneNumber(n), assistant_id: id }),
        ),
      );
      const statuses = answers.map(({ status }) => status);
      expect(statuses.filter((status) => status === 200)).toHaveLength(10);
      expect(statuses.filter((status) => status === 422)).toHaveLength(4);
    });
  });

  describe('DELETE /api/user/calls/{id}', () => {
    it('answers 409 {message} while the call is live', async () => {
      const { body } = await call(owner, { phone_number: phoneNumber(3), assistant_id: assistant.id }).expect(
        200,
      );
      const refused = await app.as(owner).delete(`/api/user/calls/${body.call_id}`).expect(409);
      expect(refused.body).toEqual({ message: expect.any(String) });
    });
  });
});
