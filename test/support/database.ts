import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, DatabaseError, escapeIdentifier } from 'pg';

/** Read by tests and written by the global setup alone, before any test process starts. */
const SERVER_VARIABLE = 'PROSA_TEST_DATABASE_URL';
const TEMPLATE_VARIABLE = 'PROSA_TEST_TEMPLATE';

const INSUFFICIENT_PRIVILEGE = '42501';
const MAX_DROPS = 20;
const DROP_AGAIN_MS = 500;

/** Makes the database that `cloneDatabase` copies. Nothing may connect to it afterwards, which copying requires. */
export async function createTemplate(
  serverUrl: string,
  migrate: (url: string) => Promise<void>,
): Promise<void> {
  const template = uniqueName('prosa_template');
  await withServer(serverUrl, (client) => client.query(`create database ${template}`));
  await migrate(urlOf(serverUrl, template));
  await withServer(serverUrl, (client) => client.query(`alter database ${template} allow_connections false`));
  process.env[SERVER_VARIABLE] = serverUrl;
  process.env[TEMPLATE_VARIABLE] = template;
}

export async function dropTemplate(): Promise<void> {
  const template = escapeIdentifier(given(TEMPLATE_VARIABLE));
  await withServer(given(SERVER_VARIABLE), (client) =>
    client.query(`drop database if exists ${template} with (force)`),
  );
}

export interface TestDatabase {
  readonly url: string;
  readonly drop: () => Promise<void>;
}

/** A database of the test file's own, with the whole schema and no rows but those the migrations make. */
export async function cloneDatabase(): Promise<TestDatabase> {
  const serverUrl = given(SERVER_VARIABLE);
  const template = escapeIdentifier(given(TEMPLATE_VARIABLE));
  const name = uniqueName('prosa_test');
  await withServer(serverUrl, (client) =>
    client.query(`create database ${name} template ${template} strategy file_copy`),
  );
  return {
    url: urlOf(serverUrl, name),
    drop: () => withServer(serverUrl, (client) => drop(client, name)),
  };
}

/** A database of the test file's own with nothing in it, as a first start finds it. */
export async function emptyDatabase(): Promise<TestDatabase> {
  const serverUrl = given(SERVER_VARIABLE);
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

function given(variable: string): string {
  const value = process.env[variable];
  if (!value)
    throw new Error(`${variable} is not set: tests with a database are run through jest's global setup.`);
  return value;
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
