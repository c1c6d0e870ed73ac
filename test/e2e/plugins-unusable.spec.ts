import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { cloneDatabase, emptyDatabase, type TestDatabase } from '../support/database.js';
import { buildProduct, ProsaProcess } from '../support/prosa-process.js';

const run = promisify(execFile);
const ENCRYPTION_KEY = Buffer.alloc(32, 7).toString('base64');

beforeAll(() => buildProduct(), 300_000);

describe('a plugin that cannot be used ends the start with one sentence, which names it', () => {
  let folder: string;
  let database: TestDatabase;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'prosa-plugins-'));
    database = await cloneDatabase();
  });
  afterAll(async () => {
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  });

  const HEAD = "import { definePlugin, Entity, Module } from 'prosa/plugin';\nclass M {}\nModule({})(M);\n";
  /** @param fields of the plugin, as source */
  const plugin = (fields: string, before = '') =>
    `${HEAD}${before}\nexport default definePlugin({ name: 'shop', prosa: '*', module: M, ${fields} });\n`;
  const migration = (sql: string) =>
    `class Shop1767225600000 { name = 'Shop1767225600000'; async up(runner) { await runner.query(${JSON.stringify(sql)}); } async down() {} }`;

  const RUNNER = `
    import 'reflect-metadata';
    import { migratePlugins } from './dist/database/preparation/migrate-plugins.js';
    import { loadPlugins } from './dist/plugins/load-plugins.js';
    const said = [];
    for (const named of JSON.parse(process.env.NAMED)) {
      try {
        await migratePlugins(process.env.DATABASE_URL, await loadPlugins(named));
        said.push({ name: 'none' });
      } catch ({ name, message }) {
        said.push({ name, message });
      }
    }
    process.stdout.write(JSON.stringify(said));`;

  /** What loading and migrating says, for each list of plugins: all in one process, as starts are slow. */
  async function failuresOf(
    lists: readonly (readonly string[])[],
    url = database.url,
  ): Promise<{ name: string; message?: string }[]> {
    const { PATH = '', HOME = '' } = process.env;
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', RUNNER], {
      env: { PATH, HOME, DATABASE_URL: url, NAMED: JSON.stringify(lists) },
    });
    return JSON.parse(stdout) as { name: string; message?: string }[];
  }

  async function written(files: Readonly<Record<string, string>>): Promise<string[]> {
    for (const [file, source] of Object.entries(files)) await writeFile(join(folder, file), source);
    return Object.keys(files).map((file) => join(folder, file));
  }

  const CASES: readonly [string, Record<string, string>, RegExp, string[]?][] = [
    [
      'a file that is not there',
      {},
      /^The plugin \.\/nothing\.js is not there: correct PROSA_PLUGINS.*\.$/,
      ['./nothing.js'],
    ],
    [
      'a package that is not installed',
      {},
      /^The plugin @acme\/none is not installed: run npm install @acme\/none in .*\.$/,
      ['@acme/none'],
    ],
    [
      'a file with a mistake',
      { 'm.js': 'export default {' },
      /^The plugin \S+m\.js cannot be loaded \(Unexpected .*\): mend or rebuild it.*\.$/,
    ],
    [
      'a file that asks for what is not installed',
      { 'i.js': "import 'left-out';" },
      /^The plugin \S+i\.js cannot be loaded \(Cannot find package 'left-out'.*\): mend.*\.$/,
    ],
    [
      'another export',
      { 'e.js': 'export default { name: "shop" };' },
      /^The plugin \S+e\.js exports no plugin: .*definePlugin.*\.$/,
    ],
    [
      'an impossible name',
      { 'n.mjs': plugin("name: 'Shop!',") },
      /^The plugin Shop! has an impossible name: .*\.$/,
    ],
    [
      'another version',
      { 'v.mjs': plugin("prosa: '^9.0.0',") },
      /^The plugin shop is made for Prosa \^9\.0\.0, and this is \d\S+: install .*\.$/,
    ],
    [
      'no version',
      { 'w.mjs': plugin('prosa: undefined,') },
      /^The plugin shop does not say for which versions .*\.$/,
    ],
    ['two of one name', { 'a.mjs': plugin(''), 'b.mjs': plugin('') }, /^Two plugins are called shop: .*\.$/],
    [
      'names of another',
      { 't.mjs': plugin("texts: { entries: { 'tools.created': { pt: 'x', en: 'x' } } },") },
      /^The plugin shop names a text tools\.created: have it begin with shop\.\.$/,
    ],
    [
      'a table of another',
      { 'f.mjs': plugin('entities: [Calls],', "class Calls {}\nEntity('calls')(Calls);") },
      /^The plugin shop has a table calls: have its name begin with shop_\.$/,
    ],
    [
      'a name that collides with tables of Prosa',
      { 'c.mjs': plugin("name: 'webhook',") },
      /^The tables of the plugin webhook would have the same prefix as webhook_\w+ of Prosa: give it another name\.$/,
    ],
    [
      'an event that there is not',
      { 'l.mjs': plugin("on: { 'call.finished': () => undefined },") },
      /^The plugin shop listens to the event call\.finished, which Prosa does not have: use one of call\.started, .*\.$/,
    ],
    [
      'a page without a title',
      { 'p.mjs': plugin("console: { title: { pt: 'Loja' }, folder: new URL('.', import.meta.url) },") },
      /^The plugin shop has a page without a title: .*\.$/,
    ],
    [
      'a page that is not there',
      {
        'q.mjs': plugin(
          "console: { title: { pt: 'Loja', en: 'Shop' }, folder: new URL('./none/', import.meta.url) },",
        ),
      },
      /^The plugin shop has a page without an index\.html in file:\S+\/none\/: .*\.$/,
    ],
    [
      'a migration that makes a table of another',
      { 'g.mjs': plugin('migrations: [Shop1767225600000],', migration('CREATE TABLE orders (id int)')) },
      /^A migration of the plugin shop makes or drops the table orders and was undone: .*\.$/,
    ],
    [
      'a migration that drops a table of Prosa',
      { 'd.mjs': plugin('migrations: [Shop1767225600000],', migration('DROP TABLE alerts')) },
      /^A migration of the plugin shop makes or drops the table alerts and was undone: .*\.$/,
    ],
    [
      'a migration that fails',
      {
        'h.mjs': plugin(
          'migrations: [Shop1767225600000],',
          migration('CREATE TABLE shop_orders (id int REFERENCES nothing)'),
        ),
      },
      /^A migration of the plugin shop failed and was undone \(relation "nothing" does not exist\): .*\.$/,
    ],
  ];

  it('whatever is wrong with it', async () => {
    const lists: string[][] = [];
    for (const [, files, , named] of CASES) lists.push(named ?? (await written(files)));
    const failures = await failuresOf(lists);
    for (const [index, [mistake, , sentence]] of CASES.entries()) {
      const { name, message = '' } = failures[index] ?? { name: 'none' };
      expect({ mistake, message }).toEqual({ mistake, message: expect.stringMatching(sentence) });
      expect({ mistake, name }).toEqual({
        mistake,
        name: expect.stringMatching(/^Plugin(Migration)?Error$/),
      });
      expect(message).not.toContain('\n');
    }
  }, 240_000);

  it('by its exit code as well, without a stack, before anything is started', async () => {
    const prosa = ProsaProcess.start({
      PROSA_PLUGINS: './nothing.js',
      DATABASE_URL: database.url,
      ENCRYPTION_KEY,
      PORT: '0',
    });
    expect(await prosa.exit()).toBe(1);
    expect(prosa.text.trim()).toMatch(/^The plugin \.\/nothing\.js is not there: correct PROSA_PLUGINS.*\.$/);
  }, 180_000);

  it('also when a migration fails, of which nothing is left', async () => {
    const [file = ''] = await written({
      'y.mjs': plugin(
        'migrations: [Shop1767225600000],',
        migration('CREATE TABLE shop_orders (id int); SELECT 1 / 0'),
      ),
    });
    const prosa = ProsaProcess.start({
      PROSA_PLUGINS: file,
      DATABASE_URL: database.url,
      ENCRYPTION_KEY,
      PORT: '0',
    });
    expect(await prosa.exit()).toBe(1);
    expect(prosa.text.trim()).toMatch(
      /^A migration of the plugin shop failed and was undone \(division by zero\): .*\.$/,
    );
    expect(await tables("'shop_orders', 'shop_migrations'")).toEqual([]);
  }, 180_000);

  it('and when there is a table of that name already, which is kept', async () => {
    await query('CREATE TABLE shop_orders (id int)');
    await query('INSERT INTO shop_orders VALUES (7)');
    const [failure] = await failuresOf([
      await written({
        'x.mjs': plugin('migrations: [Shop1767225600000],', migration('DROP TABLE IF EXISTS shop_orders')),
      }),
    ]);
    expect(failure?.message).toMatch(
      /^The plugin shop cannot be set up, because there is a table shop_orders that it has not made: .*\.$/,
    );
    expect(await query('SELECT id FROM shop_orders')).toEqual([{ id: 7 }]);
    expect(await tables("'shop_migrations'")).toEqual([]);
  }, 180_000);

  it('but its tables are in a backup, and come back where it is named', async () => {
    const other = await cloneDatabase();
    const target = await emptyDatabase();
    const backup = join(folder, 'prosa.backup');
    const command = async (name: 'backup' | 'restore', url: string, plugins: string) => {
      const { PATH = '', HOME = '' } = process.env;
      const environment = { DATABASE_URL: url, ENCRYPTION_KEY, DATA_DIR: folder, PROSA_PLUGINS: plugins };
      return run(process.execPath, [`dist/cli/${name}.js`, backup], {
        env: { PATH, HOME, ...environment },
      }).then(
        () => '',
        ({ stderr }: { stderr: string }) => stderr.trim(),
      );
    };
    try {
      const [file = '', older = ''] = await written({
        'r.mjs': plugin(
          'migrations: [Shop1767225600000],',
          migration('CREATE TABLE shop_orders (id serial PRIMARY KEY, name text)'),
        ),
        'o.mjs': plugin(''),
      });
      expect(await failuresOf([[file]], other.url)).toEqual([{ name: 'none' }]);
      await query("INSERT INTO shop_orders (name) VALUES ('Um'), ('Dois')", other.url);
      expect(await command('backup', other.url, '')).toBe('');

      expect(await command('restore', target.url, '')).toBe(
        'This backup holds tables of the plugin shop: name it in PROSA_PLUGINS. Nothing was changed.',
      );
      expect(await command('restore', target.url, older)).toMatch(
        /^This backup was made with a newer version of the plugin shop than the one here, .* Nothing was changed\.$/,
      );
      expect(await command('restore', target.url, './nothing.js')).toMatch(
        /^The plugin \.\/nothing\.js is not there: .*\.$/,
      );
      expect(await command('restore', target.url, file)).toBe('');
      expect(await query('SELECT * FROM shop_orders ORDER BY id', target.url)).toEqual([
        { id: 1, name: 'Um' },
        { id: 2, name: 'Dois' },
      ]);
      // Nothing is left to do for it, and its sequence goes on.
      expect(await failuresOf([[file]], target.url)).toEqual([{ name: 'none' }]);
      expect(await query("INSERT INTO shop_orders (name) VALUES ('Três') RETURNING id", target.url)).toEqual([
        { id: 3 },
      ]);
    } finally {
      await other.drop();
      await target.drop();
    }
  }, 240_000);

  async function query(sql: string, url = database.url): Promise<unknown[]> {
    const client = new Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query(sql)).rows;
    } finally {
      await client.end();
    }
  }

  const tables = (names: string) => query(`SELECT relname FROM pg_class WHERE relname IN (${names})`);
});
