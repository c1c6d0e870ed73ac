import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type TestAccount, TestApp } from '../support/app.js';
import { LocalServer } from '../support/http-server.js';

const URL = '/api/user/knowledgebases';
const WEBSITES = 20;
const PAGES = 5;
/** A megabyte of nested elements that keeps a reader busy for some seconds. */
const HEAVY = '<a>1<p>'.repeat(140_000);
const MAX_WAIT_SECONDS = 30;

describe('an account with websites that are slow to read', () => {
  let app: TestApp;
  let site: LocalServer;
  let folder: string;
  let attacker: TestAccount;
  let other: TestAccount;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'prosa-turns-'));
    site = await LocalServer.start(({ path }, response) => {
      if (path === '/robots.txt') return void response.writeHead(404).end();
      const links = Array.from({ length: PAGES }, (_, n) => `<a href="${path}-${n}">${n}</a>`).join('');
      response.writeHead(200, { 'content-type': 'text/html' }).end(`${links}<main>${path}${HEAVY}`);
    });
    app = await TestApp.start({
      PROSA_ROLES: 'api,worker',
      EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
      DATA_DIR: folder,
    });
    attacker = await app.account();
    other = await app.account();
    for (const { userId } of [attacker, other]) {
      await app.query(
        "UPDATE users SET plan_id = (SELECT id FROM plans WHERE code = 'unlimited') WHERE id = $1",
        [userId],
      );
    }
  });
  afterAll(async () => {
    await app.stop();
    await site.stop();
    await rm(folder, { recursive: true, force: true });
  });

  async function createBase(account: TestAccount): Promise<number> {
    const { body } = await app.as(account).post(URL).send({ name: 'Base' }).expect(201);
    return body.data.id;
  }
  const statusOf = async (account: TestAccount, base: number, document: number) =>
    (await app.as(account).get(`${URL}/${base}/documents/${document}`).expect(200)).body.data.status;

  it(`delays a text of another account by less than ${MAX_WAIT_SECONDS} s`, async () => {
    const bad = await createBase(attacker);
    for (let n = 0; n < WEBSITES; n++) {
      await app
        .as(attacker)
        .post(`${URL}/${bad}/documents`)
        .send({
          name: `Site ${n}`,
          type: 'website',
          url: `${site.url}/${n}`,
          relative_links_limit: PAGES - 1,
        })
        .expect(201);
    }
    await sleep(2_000);
    const base = await createBase(other);
    const startedAt = performance.now();
    const { body } = await app
      .as(other)
      .post(`${URL}/${base}/documents`)
      .field({ name: 'Aviso', type: 'txt' })
      .attach('file', Buffer.from('A padaria abre às seis.'), 'aviso.txt')
      .expect(201);
    while ((await statusOf(other, base, body.data.id)) === 'processing') await sleep(200);
    const seconds = (performance.now() - startedAt) / 1_000;
    expect(await statusOf(other, base, body.data.id)).toBe('active');
    expect(seconds).toBeLessThan(MAX_WAIT_SECONDS);
    const [left] = await app.query<{ count: number }>(
      "SELECT count(*)::integer AS count FROM documents WHERE user_id = $1 AND status = 'processing'",
      [attacker.userId],
    );
    expect(left?.count).toBeGreaterThan(0);
  }, 240_000);
});
