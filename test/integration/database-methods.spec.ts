import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Database } from '../../src/database/database.js';
import { PhoneNumber } from '../../src/modules/phone-numbers/phone-number.entity.js';
import { Tool } from '../../src/modules/tools/tool.entity.js';
import { type TestAccount, TestApp } from '../support/app.js';
import { addPhoneNumber } from '../support/campaign-builders.js';

let app: TestApp;
let owner: TestAccount;
let database: Database;

beforeAll(async () => {
  app = await TestApp.start();
  owner = await app.account();
  database = app.app.get(Database);
}, 60_000);
afterAll(() => app.stop());

const rename = (name: string) => app.query('UPDATE users SET name = $2 WHERE id = $1', [owner.userId, name]);

describe('runReadOnly', () => {
  it('reads the data of one moment, whatever is committed after its first read', async () => {
    await rename('Ana');
    const names = await database.runReadOnly(async (tx) => {
      const read = async () => {
        const [row] = await database.query<{ name: string }>(
          'SELECT name FROM users WHERE id = $1',
          [owner.userId],
          tx,
        );
        return row?.name;
      };
      const before = await read();
      await rename('Bia');
      return [before, await read()];
    });
    expect(names).toEqual(['Ana', 'Ana']);
  });

  it('refuses a write', async () => {
    const written = database.runReadOnly((tx) =>
      database.query('UPDATE users SET name = name WHERE id = $1', [owner.userId], tx),
    );
    await expect(written).rejects.toThrow('read-only transaction');
  });
});

describe('rows of one column', () => {
  const NUMBERS = 'SELECT number FROM generate_series(1, $1::int) AS number';

  it('are read as their values', async () => {
    expect(await database.values<number>(NUMBERS, [3])).toEqual([1, 2, 3]);
    expect(await database.values<string[]>("SELECT ARRAY['a', 'b'] AS names")).toEqual([['a', 'b']]);
    expect(await database.values<number>(NUMBERS, [0])).toEqual([]);
  });

  it('are read as the value of the first one, as null or as zero without any', async () => {
    expect(await database.value<number>(NUMBERS, [3])).toBe(1);
    expect(await database.value<number>(NUMBERS, [0])).toBeNull();
    expect(await database.count(NUMBERS, [3])).toBe(1);
    expect(await database.count(NUMBERS, [0])).toBe(0);
  });

  it('are counted, also those that a statement changes', async () => {
    expect(await database.affected(NUMBERS, [3])).toBe(3);
    expect(
      await database.affected('UPDATE users SET name = name WHERE id = $1 RETURNING id', [owner.userId]),
    ).toBe(1);
    expect(await database.affected('DELETE FROM users WHERE id = $1 RETURNING id', [0])).toBe(0);
  });
});

describe('findPrepared', () => {
  it('returns entities with their transformed values', async () => {
    const id = await addPhoneNumber(app, owner);
    await app.query('UPDATE phone_numbers SET monthly_price_micros = 1500000 WHERE id = $1', [id]);
    const [number, ...more] = await database.findPrepared(PhoneNumber, 'user_id = $1 AND id = ANY($2)', [
      owner.userId,
      [id],
    ]);
    expect(number).toBeInstanceOf(PhoneNumber);
    expect(number).toMatchObject({ id, userId: owner.userId, monthlyPriceMicros: 1_500_000 });
    expect(more).toEqual([]);
  });
});

describe('columnsOf', () => {
  it('names each column of the table after its property', () => {
    expect(database.columnsOf(Tool, 'own')).toContain('own.id AS "id", own.name AS "name"');
  });

  it('refuses an entity with a transformer, whose values would stay raw', () => {
    expect(() => database.columnsOf(PhoneNumber, 'own')).toThrow('is read through a transformer');
  });
});
