import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, DatabaseError, escapeIdentifier } from 'pg';

/** Of the process that runs the tests, which starts the server when a database is asked for; set by jest's global setup. */
const PORT_VARIABLE = 'PROSA_TEST_DATABASE_PORT';

/** A server with the database that `cloneDatabase` copies. */
export interface TemplateServer {
  readonly url: string;
  readonly template: string;
}

const INSUFFICIENT_PRIVILEGE = '42501';
const OBJECT_IN_USE = '55006';
const MAX_DROPS = 20;
const DROP_AGAIN_MS = 500;

/** Makes the database that `cloneDatabase` copies. Nothing may connect to it afterwards, which copying requires. */
export async function createTemplate(
  serverUrl: string,
  migrate: (url: string) => Promise<void>,
): Promise<TemplateServer> {
  const template = uniqueName('prosa_template');
  await withServer(serverUrl, (client) => client.query(`create database ${template}`));
  await migrate(urlOf(serverUrl, template));
  await withServer(serverUrl, (client) => client.query(`alter database ${template} allow_connections false`));
  return { url: serverUrl, template };
}

export async function dropTemplate({ url, template }: TemplateServer): Promise<void> {
  await withServer(url, (client) =>
    client.query(`drop database if exists ${escapeIdentifier(template)} with (force)`),
  );
}

export interface TestDatabase {
  readonly url: string;
  readonly drop: () => Promise<void>;
}

/**
 * A database of the test file's own, with the whole schema and no rows but those the migrations make.
 *
 * @param server that of the test run when left out
 */
export async function cloneDatabase(server?: TemplateServer): Promise<TestDatabase> {
  const { url: serverUrl, template } = server ?? (await serverOf());
  const name = uniqueName('prosa_test');
  await withServer(serverUrl, (client) =>
    client.query(`create database ${name} template ${escapeIdentifier(template)} strategy file_copy`),
  );
  return {
    url: urlOf(serverUrl, name),
    drop: () => withServer(serverUrl, (client) => drop(client, name)),
  };
}

/** A copy of a database as a snapshot has it. No process may be connected to the original; connections of dead ones are awaited. */
export async function copyDatabase(originalUrl: string): Promise<TestDatabase> {
  const { url: serverUrl } = await serverOf();
  const original = escapeIdentifier(new URL(originalUrl).pathname.slice(1));
  const name = uniqueName('prosa_copy');
  await withServer(serverUrl, async (client) => {
    for (let tries = 1; ; tries++) {
      try {
        await client.query(`create database ${name} template ${original} strategy file_copy`);
        return;
      } catch (error) {
        if (!(error instanceof DatabaseError) || error.code !== OBJECT_IN_USE || tries === MAX_DROPS)
          throw error;
        await sleep(DROP_AGAIN_MS);
      }
    }
  });
  return {
    url: urlOf(serverUrl, name),
    drop: () => withServer(serverUrl, (client) => drop(client, name)),
  };
}

/** A database of the test file's own with nothing in it, as a first start finds it. */
export async function emptyDatabase(): Promise<TestDatabase> {
  const { url: serverUrl } = await serverOf();
  const name = uniqueName('prosa_empty');
  await withServer(serverUrl, (client) => client.query(`create database ${name}`));
  return {
    url: urlOf(serverUrl, name),
    drop: () => withServer(serverUrl, (client) => drop(client, name)),
  };
}

/** An autovacuum worker, which only a superuser may end, can be at work on what a test has written: it is soon done. */
async function drop(client: Client, name: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await client.query(`drop database if exists ${name} with (force)`);
      return;
    } catch (error) {
      const isVacuumed = error instanceof DatabaseError && error.code === INSUFFICIENT_PRIVILEGE;
      if (!isVacuumed || tries === MAX_DROPS) throw error;
      await sleep(DROP_AGAIN_MS);
    }
  }
}

function uniqueName(prefix: string): string {
  return `${prefix}_${process.pid}_${randomBytes(4).toString('hex')}`;
}

function urlOf(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.href;
}

/** Starts the server, for the first test that asks. */
async function serverOf(): Promise<TemplateServer> {
  const port = Number(process.env[PORT_VARIABLE]);
  if (!port)
    throw new Error(
      `${PORT_VARIABLE} is not set: tests with a database are run through jest's global setup.`,
    );
  const answer = JSON.parse(await readText(connect(port, '127.0.0.1'))) as TemplateServer | { error: string };
  if ('error' in answer) throw new Error(`The database server of the tests did not start: ${answer.error}`);
  return answer;
}

async function withServer(serverUrl: string, work: (client: Client) => Promise<unknown>): Promise<void> {
  const client = new Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
