import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type TestAccount, TestApp } from '../support/app.js';
import { createAssistant } from '../support/builders.js';

/** One more than go in one statement. */
const ROWS = 5_001;
const TABLES = ['calls', 'conversations', 'webhook_deliveries'];

describe('the deletion of an assistant with a long history', () => {
  let app: TestApp;
  let owner: TestAccount;

  beforeAll(async () => {
    app = await TestApp.start();
    owner = await app.account();
    await app.query(`
      CREATE FUNCTION refuse_long_statement() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF (SELECT count(*) FROM changed) >= ${ROWS} THEN RAISE 'too many rows of % at once', TG_TABLE_NAME; END IF;
        RETURN NULL;
      END $$`);
    for (const table of TABLES) {
      await app.query(
        `CREATE TRIGGER short_statements AFTER UPDATE ON ${table} REFERENCING NEW TABLE AS changed
         FOR EACH STATEMENT EXECUTE FUNCTION refuse_long_statement()`,
      );
    }
  });
  afterAll(() => app.stop());

  it('parts calls, conversations and deliveries from it a few at a time, and they stay', async () => {
    const { id } = await createAssistant(app, owner);
    const of = [owner.userId, id];
    await app.query(
      `INSERT INTO calls (user_id, assistant_id, assistant_name, type, status)
       SELECT $1, $2, 'Recepção', 'inbound', 'completed' FROM generate_series(1, ${ROWS})`,
      of,
    );
    await app.query(
      `INSERT INTO conversations (id, user_id, assistant_id, type)
       SELECT gen_random_uuid(), $1, $2, 'widget' FROM generate_series(1, ${ROWS})`,
      of,
    );
    await app.query(
      `WITH endpoint AS (INSERT INTO webhook_endpoints (user_id, url, url_hash, host)
         VALUES ($1, 'https://example.com/', 'hash', 'example.com') RETURNING id)
       INSERT INTO webhook_deliveries (user_id, assistant_id, endpoint_id, event_id, kind, subject_id, body, status, finished_at)
       SELECT $1, $2, endpoint.id, 'msg_' || n, 'post-call', n::text, '{}', 'delivered', now()
       FROM endpoint, generate_series(1, ${ROWS}) AS n`,
      of,
    );

    await app.as(owner).delete(`/api/user/assistant/${id}`).expect(200);

    await app.as(owner).get(`/api/user/assistant/${id}`).expect(404);
    for (const table of TABLES) {
      const [left] = await app.query(
        `SELECT count(*)::int AS rows, count(assistant_id)::int AS attached FROM ${table} WHERE user_id = $1`,
        [owner.userId],
      );
      expect({ table, ...left }).toEqual({ table, rows: ROWS, attached: 0 });
    }
  });

  it('leaves the assistants of other accounts alone', async () => {
    const { id } = await createAssistant(app, owner, { type: 'outbound' });
    await app.as(owner).put(`/api/user/assistant/${id}`).send({ status: 'active' }).expect(200);

    await app
      .as(await app.account())
      .delete(`/api/user/assistant/${id}`)
      .expect(404);

    const { body } = await app.as(owner).get(`/api/user/assistant/${id}`).expect(200);
    expect(body.status).toBe('active');
  });
});
