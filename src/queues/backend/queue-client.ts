import type { ClientConfig } from 'pg';
import { WatchedClient } from '../../database/outages/watched-client.js';

/** The queue's statements are about seventy constant texts. What is beyond is not kept by the server. */
const MAX_NAMED = 200;
const CONNECTION_TIMEOUT_MS = 10_000;
const names = new Map<string, string>();

/**
 * A connection of the job queue. Each statement is named, so that the server parses and plans it once for a connection;
 * BullMQ names none. A statement fails when its functions were replaced since. It then ends its connection, as every
 * error of a pool's query does, and a new connection does not have the problem.
 */
export class QueueClient extends WatchedClient {
  constructor(config?: ClientConfig) {
    // Not of the pool: its limit would be one for the wait for a free connection as well.
    super({ ...config, connectionTimeoutMillis: CONNECTION_TIMEOUT_MS });
    const run = this.query.bind(this) as (...given: unknown[]) => unknown;
    this.query = ((text: unknown, values: unknown, ...rest: unknown[]) => {
      const name = typeof text === 'string' && Array.isArray(values) ? nameOf(text) : undefined;
      return name === undefined ? run(text, values, ...rest) : run({ name, text, values }, ...rest);
    }) as typeof this.query;
  }
}

function nameOf(text: string): string | undefined {
  let name = names.get(text);
  if (name === undefined && names.size < MAX_NAMED) {
    name = `queue_${names.size + 1}`;
    names.set(text, name);
  }
  return name;
}
