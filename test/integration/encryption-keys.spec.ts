import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { checkKeys, keysOfDatabase, SEALED_COLUMNS } from '../../src/boot/first-start/database-keys.js';
import { keyIdOf, SecretBox } from '../../src/common/crypto/secret-box.js';
import { withDatabase } from '../../src/database/open-database.js';
import { EncryptionKeyError } from '../../src/modules/encryption-keys/encryption-key.error.js';
import { type TestAccount, TestApp, TEST_ENCRYPTION_KEY } from '../support/app.js';
import { until } from '../support/until.js';

const newKey = () => randomBytes(32).toString('base64');
const OLD = TEST_ENCRYPTION_KEY;
const NEW = newKey();
const OTHER = newKey();

const TOOL = {
  name: 'track_order',
  description: 'Consulta a situação de um pedido pelo número',
  endpoint: 'https://example.com/orders',
  method: 'GET',
  headers: [{ name: 'X-Token', value: 'valor-secreto' }],
  schema: [],
};

let app: TestApp;
let owner: TestAccount;
let client: Client;

beforeAll(async () => {
  app = await TestApp.start();
  owner = await app.account({ balanceUsd: 10 });
  client = new Client({ connectionString: app.database.url });
  await client.connect();
  await app.as(owner).post('/api/user/tools').send(TOOL).expect(201);
  await app.as(owner).get('/api/user/webhook-secret').expect(200);
  await app.as(owner).post('/api/user/webhook-secret/rotate').expect(200);
  const key = randomUUID();
  await app
    .as(owner)
    .post('/api/user/tools')
    .set('Idempotency-Key', key)
    .send({ ...TOOL, name: 'other' });
});
afterAll(async () => {
  await client.end();
  await app.stop();
});

const query = async <Row>(sql: string, parameters: unknown[] = []) =>
  (await client.query(sql, parameters)).rows as Row[];
const idsInDatabase = async () =>
  (await query<{ id: string }>('SELECT id FROM encryption_keys ORDER BY id')).map(({ id }) => id);
const check = (...keys: string[]) => checkKeys(app.database.url, keys);
const reseal = (...keys: string[]) =>
  withDatabase(app.database.url, (database) => keysOfDatabase(database, keys).reseal());
const status = (...keys: string[]) =>
  withDatabase(app.database.url, (database) => keysOfDatabase(database, keys).status());
/** As if no process had sealed lately. */
const letTimePass = () =>
  query(`UPDATE encryption_keys SET last_sealed_at = last_sealed_at - interval '1 hour'`);

describe('the columns with sealed values', () => {
  it('are all listed by the features of their modules', async () => {
    const found = await query<{ name: string }>(
      `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
       WHERE table_schema = 'public' AND (column_name LIKE 'sealed%' OR column_name = 'line_state') ORDER BY 1`,
    );
    const listed = SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`);
    expect(listed.toSorted()).toEqual(found.map(({ name }) => name));
  });

  it('name the columns that they are found by', async () => {
    for (const { table, column, userId, rowId, primaryKey, newestBy } of SEALED_COLUMNS) {
      await query(`SELECT ${column}, (${userId})::integer, (${rowId})::text, ${newestBy} FROM ${table}`);
      const rows = await query<{ name: string }>(
        `SELECT attname AS name FROM pg_index JOIN pg_attribute ON attrelid = indrelid AND attnum = ANY (indkey)
         WHERE indrelid = $1::regclass AND indisprimary`,
        [table],
      );
      expect({ table, key: rows.map(({ name }) => name).toSorted() }).toEqual({
        table,
        key: [...primaryKey].toSorted(),
      });
    }
  });
});

describe('the ids of encryption keys', () => {
  it('are recorded when a process first seals with a key', async () => {
    await until(async () => (await idsInDatabase()).length > 0, 5_000);
    expect(await idsInDatabase()).toEqual([keyIdOf(OLD)]);
  });

  it('must all be among the keys of a process, in any order', async () => {
    await check(OLD);
    await check(OLD, NEW);
    await check(NEW, OLD);
    await expect(check(OTHER)).rejects.toThrow(EncryptionKeyError);
    await expect(check(NEW, OTHER)).rejects.toThrow(`need the encryption key ${keyIdOf(OLD)} (its id)`);
    // A key that has sealed nothing is not needed.
    expect(await idsInDatabase()).toEqual([keyIdOf(OLD)]);
  });
});

describe('a database of a release that recorded no ids', () => {
  beforeEach(() => query('DELETE FROM encryption_keys'));

  it('gets them at the first start, once the newest value of each kind opens', async () => {
    await check(NEW, OLD);
    expect(await idsInDatabase()).toEqual([keyIdOf(OLD)]);
  });

  it('refuses a key that does not open them, and records nothing', async () => {
    await expect(check(OTHER)).rejects.toThrow(keyIdOf(OLD));
    expect(await idsInDatabase()).toEqual([]);
  });

  it('refuses where the newest value of one kind has another key, as a process with a wrong key leaves it', async () => {
    const [secret] = await query<{ sealed: string }>('SELECT sealed_secret AS sealed FROM webhook_secrets');
    const place = { userId: owner.userId, column: 'webhook_secrets.secret', rowId: owner.userId };
    await query('UPDATE webhook_secrets SET sealed_secret = $1', [new SecretBox([OTHER]).seal('x', place)]);
    await expect(check(OLD)).rejects.toThrow(keyIdOf(OTHER));
    await query('UPDATE webhook_secrets SET sealed_secret = $1', [secret?.sealed]);
    await check(OLD);
  });
});

describe('a reseal', () => {
  it('moves every value to the first key, and the old key leaves when no process seals with it', async () => {
    await check(NEW, OLD);
    const before = await status(NEW, OLD);
    expect(before).toEqual([
      expect.objectContaining({
        id: keyIdOf(OLD),
        isCurrent: false,
        isKnown: true,
        values: expect.objectContaining({
          'tools.headers': 2,
          'webhook_secrets.secret': 2,
          'idempotency_keys.body': 1,
        }),
      }),
    ]);
    const total = Object.values(before[0]?.values ?? {}).reduce((sum, count) => sum + count, 0);

    await query('UPDATE encryption_keys SET last_sealed_at = now()');
    expect(await reseal(NEW, OLD)).toEqual({
      resealed: total,
      unreadable: 0,
      removed: [],
      inUse: [keyIdOf(OLD)],
    });
    await letTimePass();
    expect(await reseal(NEW, OLD)).toEqual({
      resealed: 0,
      unreadable: 0,
      removed: [keyIdOf(OLD)],
      inUse: [],
    });
    expect(await idsInDatabase()).toEqual([keyIdOf(NEW)]);
    await check(NEW);
    await expect(check(OLD)).rejects.toThrow(keyIdOf(NEW));

    const [tool] = await query<{ id: number; sealed: string }>(
      'SELECT id, sealed_headers AS sealed FROM tools ORDER BY id LIMIT 1',
    );
    const place = { userId: owner.userId, column: 'tools.headers', rowId: tool?.id ?? 0 };
    expect(new SecretBox([NEW]).open(tool?.sealed ?? '', place)).toContain('valor-secreto');
  });

  it('leaves values that no key opens, and does not remove their key', async () => {
    const place = { userId: owner.userId, column: 'tools.headers', rowId: 0 };
    await query(`UPDATE tools SET sealed_headers = $1 WHERE name = 'other'`, [
      new SecretBox([OTHER]).seal('[]', place),
    ]);
    expect(await reseal(NEW)).toMatchObject({ resealed: 0, unreadable: 1, removed: [] });
    expect(await status(NEW)).toContainEqual({
      id: keyIdOf(OTHER),
      isKnown: false,
      isCurrent: false,
      values: { 'tools.headers': 1 },
    });
  });
});
