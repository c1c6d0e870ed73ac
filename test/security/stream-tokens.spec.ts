import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type TestAccount, TestApp } from '../support/app.js';
import { addMember } from '../support/builders.js';
import { createCampaign, createOutboundAssistant } from '../support/campaign-builders.js';
import { until } from '../support/until.js';

const PASSWORD = 'correct horse battery';
const MAX_MS = 4_000;

interface Stream {
  readonly status: number;
  isOver: boolean;
  close(): void;
}

function openStream(app: TestApp, path: string, token: string): Promise<Stream> {
  return new Promise((resolve, reject) => {
    const call = request(`${app.origin}${path}`, {
      agent: false,
      headers: { Authorization: `Bearer ${token}`, Accept: 'text/event-stream' },
    });
    call.on('error', reject);
    call.on('response', (response) => {
      const stream = { status: response.statusCode ?? 0, isOver: false, close: () => void call.destroy() };
      response.on('error', () => undefined);
      response.on('close', () => (stream.isOver = true));
      response.resume();
      resolve(stream);
    });
    call.end();
  });
}

describe('event streams in every process', () => {
  let app: TestApp;
  let elsewhere: TestApp;
  let owner: TestAccount;
  let campaign: number;

  beforeAll(async () => {
    app = await TestApp.start();
    elsewhere = await TestApp.start({}, async () => app.database.url);
    owner = await app.account({ balanceUsd: 5, password: PASSWORD });
    const assistant = await createOutboundAssistant(app, owner);
    campaign = await createCampaign(app, owner, { assistant_id: assistant });
    await app.query("UPDATE campaigns SET status = 'in-progress' WHERE id = $1", [campaign]);
  }, 60_000);
  afterAll(async () => {
    await elsewhere.stop();
    await app.stop();
  });

  async function createKey(): Promise<{ readonly id: number; readonly token: string }> {
    const { body } = await app.as(owner).post('/api/user/api-keys').send({ name: 'Feed' }).expect(201);
    const [{ id } = { id: 0 }] = await app.query<{ id: number }>('SELECT max(id) AS id FROM api_keys');
    return { id, token: body.api_key.token };
  }

  const streamsOf = (token: string) =>
    Promise.all(
      [app, elsewhere].flatMap((process) =>
        ['/api/user/events', `/api/user/campaigns/${campaign}/progress`].map((path) =>
          openStream(process, path, token),
        ),
      ),
    );

  it.each<[string, () => Promise<{ token: string; end: () => Promise<unknown> }>]>([
    [
      'a removed member',
      async () => {
        const { id, token } = await addMember(app, owner);
        return { token, end: () => app.as(owner).delete(`/api/user/members/${id}`).expect(200) };
      },
    ],
    [
      'a member with another role',
      async () => {
        const { id, token } = await addMember(app, owner);
        const end = () => app.as(owner).put(`/api/user/members/${id}`).send({ role: 'viewer' }).expect(200);
        return { token, end };
      },
    ],
    [
      'a deleted key',
      async () => {
        const { id, token } = await createKey();
        return { token, end: () => app.as(owner).delete(`/api/user/api-keys/${id}`).expect(200) };
      },
    ],
    [
      'a session that is logged out',
      async () => {
        const { token } = await addMember(app, owner, { role: 'viewer' });
        return { token, end: () => app.as({ token }).post('/api/auth/logout').expect(200) };
      },
    ],
    [
      'a session whose time is over',
      async () => {
        const { token } = await addMember(app, owner, { role: 'viewer' });
        const end = () =>
          app.query('UPDATE sessions SET expires_at = now() WHERE id = (SELECT max(id) FROM sessions)');
        return { token, end };
      },
    ],
  ])(
    'end with the token of %s, and others go on',
    async (_who, begin) => {
      const others = await streamsOf(owner.token);
      const { token, end } = await begin();
      const streams = await streamsOf(token);
      try {
        expect(streams.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
        await end();
        const endedAtMs = performance.now();
        await until(() => streams.every(({ isOver }) => isOver), 20_000);
        expect(performance.now() - endedAtMs).toBeLessThan(MAX_MS);
        expect(others.map(({ isOver }) => isOver)).toEqual([false, false, false, false]);
      } finally {
        for (const stream of [...others, ...streams]) stream.close();
      }
    },
    40_000,
  );
});
