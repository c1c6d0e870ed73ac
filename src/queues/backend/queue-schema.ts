import { assertSchemaCompatibility, DEFAULT_SCHEMA, LATEST_SCHEMA_VERSION, runMigrations } from 'bullmq';
import type { Client } from 'pg';
import { withPreparationClient } from '../../database/preparation/preparation-client.js';

const MISSING_SEQUENCES = `SELECT queue FROM unnest($1::text[]) AS queue
  WHERE to_regclass(job_id_seq_name(queue)) IS NULL ORDER BY queue`;

/**
 * Brings the schema of the job queue up to date, with what each queue needs. For one process at a time: making a schema
 * that is being made fails.
 */
export async function migrateQueues(databaseUrl: string, queues: readonly string[]): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    // The role of a prepared database need not be allowed to create schemas.
    if ((await missingOf(client, queues)).length === 0) return;
    await client.query(`CREATE SCHEMA IF NOT EXISTS ${DEFAULT_SCHEMA}`);
    await runMigrations(client, DEFAULT_SCHEMA);
    // BullMQ creates the sequence of a queue with its first id, which a role without that right cannot.
    for (const queue of await withoutSequence(client, queues))
      await client.query('SELECT next_job_id($1)', [queue]);
  });
}

/** What {@link migrateQueues} would make, such as `the job queue webhooks`. Changes nothing. */
export function findMissingQueues(databaseUrl: string, queues: readonly string[]): Promise<string[]> {
  return withClient(databaseUrl, (client) => missingOf(client, queues));
}

async function missingOf(client: Client, queues: readonly string[]): Promise<string[]> {
  const there = await client.query('SELECT FROM pg_class WHERE oid = to_regclass($1)', [
    `${DEFAULT_SCHEMA}.migration`,
  ]);
  if (there.rowCount === 0) return ['the schema of the job queue'];
  const version = await assertSchemaCompatibility(client, DEFAULT_SCHEMA);
  if (version < LATEST_SCHEMA_VERSION)
    return [`version ${LATEST_SCHEMA_VERSION} of the schema of the job queue`];
  return (await withoutSequence(client, queues)).map((queue) => `the job queue ${queue}`);
}

function withClient<T>(databaseUrl: string, work: (client: Client) => Promise<T>): Promise<T> {
  return withPreparationClient(databaseUrl, work, { options: `-c search_path=${DEFAULT_SCHEMA}` });
}

async function withoutSequence(client: Client, queues: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<{ queue: string }>(MISSING_SEQUENCES, [queues]);
  return rows.map(({ queue }) => queue);
}
