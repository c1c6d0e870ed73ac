import type { Client, ClientConfig } from 'pg';
import { WatchedClient } from '../outages/watched-client.js';

/** Opens a connection of its own for a step of the preparation, and closes it after the work. */
export async function withPreparationClient<T>(
  databaseUrl: string,
  work: (client: Client) => Promise<T>,
  options: ClientConfig = {},
): Promise<T> {
  const client = new WatchedClient({
    ...options,
    connectionString: databaseUrl,
    application_name: 'prosa-preparation',
  });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
