import { type ClientRequest, request } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type TestAccount, TestApp } from '../support/app.js';
import { addMember } from '../support/builders.js';
import { until } from '../support/until.js';

const PASSWORD = 'correct horse battery';
const PATH = '/api/user/me/availability';
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

interface Person {
  readonly token: string;
  /** Null for the owner. */
  readonly id: number | null;
}

interface Availability {
  readonly available: boolean;
  readonly since: string;
}

describe('availability of people', () => {
  let app: TestApp;
  let account: TestAccount;
  let owner: Person;
  let bia: Person;
  let streams: ClientRequest[] = [];

  beforeAll(async () => {
    app = await TestApp.start();
  });
  beforeEach(async () => {
    account = await app.account({ password: PASSWORD });
    const { body } = await app.http
      .post('/api/auth/login')
      .send({ email: account.email, password: PASSWORD })
      .expect(200);
    owner = { token: body.token, id: null };
    bia = await addMember(app, account);
  });
  afterEach(() => {
    for (const stream of streams) stream.destroy();
    streams = [];
  });
  afterAll(() => app.stop());

  const read = async (person: Person) => (await app.as(person).get(PATH).expect(200)).body as Availability;
  const set = async (person: Person, available: boolean) =>
    (await app.as(person).put(PATH).send({ available }).expect(200)).body.data as Availability;

  const rowOf = async ({ id }: Person) => {
    const [row] = await app.query<{ age: number; ended: string }>(
      `SELECT extract(epoch FROM now() - seen_at)::float8 AS age,
         to_char(seen_at AT TIME ZONE 'UTC' + interval '60 s', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS ended
       FROM member_availabilities WHERE user_id = $1 AND member_id IS NOT DISTINCT FROM $2`,
      [account.userId, id],
    );
    return row;
  };
  /** As if nothing had renewed it for so long. */
  const age = ({ id }: Person, seconds: number) =>
    app.query(
      `UPDATE member_availabilities SET seen_at = now() - make_interval(secs => $3), since = since - interval '1 hour'
       WHERE user_id = $1 AND member_id IS NOT DISTINCT FROM $2`,
      [account.userId, id, seconds],
    );

  function openStream(token: string): Promise<number> {
    return new Promise((resolve, reject) => {
      const stream = request(`${app.origin}/api/user/events`, {
        agent: false,
        headers: { Accept: 'text/event-stream', Authorization: `Bearer ${token}` },
      });
      stream.on('response', (response) => {
        response.on('error', () => undefined).resume();
        resolve(response.statusCode ?? 0);
      });
      stream.on('error', reject);
      stream.end();
      streams.push(stream);
    });
  }

  it('begins as unavailable, since the person joined', async () => {
    const [joined] = await app.query<{ at: Date }>('SELECT created_at AS at FROM members WHERE id = $1', [
      bia.id,
    ]);
    const [opened] = await app.query<{ at: Date }>('SELECT created_at AS at FROM users WHERE id = $1', [
      account.userId,
    ]);
    expect(await read(bia)).toEqual({ available: false, since: joined!.at.toISOString() });
    expect(await read(owner)).toEqual({ available: false, since: opened!.at.toISOString() });
  });

  it('is set by each person alone, and keeps its time while it stays the same', async () => {
    const { body } = await app.as(bia).put(PATH).send({ available: true }).expect(200);
    expect(body).toEqual({
      message: 'Disponibilidade atualizada com sucesso',
      data: { available: true, since: expect.stringMatching(ISO) },
    });
    expect(await read(bia)).toEqual(body.data);
    expect(await set(bia, true)).toEqual(body.data);
    for (const other of [owner, await addMember(app, account, { role: 'owner' })]) {
      expect((await read(other)).available).toBe(false);
      expect((await set(other, true)).available).toBe(true);
      expect((await set(other, false)).available).toBe(false);
    }
    expect(await read(bia)).toEqual(body.data);
    const off = await set(bia, false);
    expect(off.available).toBe(false);
    expect(Date.parse(off.since)).toBeGreaterThanOrEqual(Date.parse(body.data.since));
    expect(await set(bia, false)).toEqual(off);
  });

  it('takes back what was read', async () => {
    const { body } = await app
      .as(bia)
      .put(PATH)
      .send(await read(bia))
      .expect(200);
    expect(body.data.available).toBe(false);
  });

  it('is known while the last renewal is at most a minute old, and ended a minute after it', async () => {
    await set(bia, true);
    await age(bia, 58);
    expect((await read(bia)).available).toBe(true);
    await age(bia, 61);
    const { ended } = (await rowOf(bia))!;
    expect(await read(bia)).toEqual({ available: false, since: ended });
    expect(await set(bia, false)).toEqual({ available: false, since: ended });
    const again = await set(bia, true);
    expect(again.available).toBe(true);
    expect(Date.parse(again.since)).toBeGreaterThan(Date.parse(ended));
  });

  it('is renewed by an event stream of the person, and by no other', async () => {
    for (const person of [bia, owner]) {
      await set(person, true);
      await age(person, 40);
    }
    const { since } = await read(bia);
    expect(await openStream(account.token)).toBe(200);
    expect(await openStream(bia.token)).toBe(200);
    await until(async () => (await rowOf(bia))!.age < 10);
    expect((await rowOf(owner))!.age).toBeGreaterThanOrEqual(40);
    expect(await read(bia)).toEqual({ available: true, since });
  });

  it('does not come back by an event stream after it has ended', async () => {
    await set(owner, true);
    await set(bia, true);
    await age(bia, 61);
    await age(owner, 40);
    await openStream(bia.token);
    await openStream(owner.token);
    // The later stream was looked at, so the earlier one was too.
    await until(async () => (await rowOf(owner))!.age < 10);
    expect((await rowOf(bia))!.age).toBeGreaterThanOrEqual(61);
    expect((await read(bia)).available).toBe(false);
  });

  it('is refused to API keys and viewers, and without a value', async () => {
    const viewer = await addMember(app, account, { role: 'viewer' });
    for (const method of ['get', 'put'] as const) {
      const refused = await app.as(account)[method](PATH).send({ available: true }).expect(403);
      expect(refused.body).toEqual({
        message: 'A disponibilidade é de uma pessoa. Entre com e-mail e senha em vez de uma chave de API.',
      });
      await app.as(viewer)[method](PATH).send({ available: true }).expect(403);
      await app.http[method](PATH).send({ available: true }).expect(401);
    }
    for (const body of [{}, { available: null }, { available: 'yes' }]) {
      const { body: answer } = await app.as(bia).put(PATH).send(body).expect(422);
      expect(Object.keys(answer.errors as object)).toEqual(['available']);
    }
  });

  it('is refused to a session that was begun with a limited key', async () => {
    await set(owner, true);
    const key = { name: 'calls', scopes: ['calls'] };
    const { body } = await app.as(account).post('/api/user/api-keys').send(key).expect(201);
    const { headers } = await app.as(body.api_key).post('/api/auth/session').expect(200);
    const token = /prosa_sess_\w+/.exec(String(headers['set-cookie']))?.[0] ?? '';
    await app.as({ token }).put(PATH).send({ available: false }).expect(403);
    expect((await read(owner)).available).toBe(true);
  });

  it('goes with the member', async () => {
    await set(bia, true);
    await app.as(account).delete(`/api/user/members/${bia.id}`).expect(200);
    await app.as(bia).get(PATH).expect(401);
    expect(await rowOf(bia)).toBeUndefined();
  });
});
