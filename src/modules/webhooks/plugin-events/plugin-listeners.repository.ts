import { Injectable } from '@nestjs/common';
import { Database } from '../../../database/database.js';
import type { PluginListener } from './plugin-listener.js';

/** Which plugins listen to which events, as the functions that write events read it. */
@Injectable()
export class PluginListenersRepository {
  constructor(private readonly database: Database) {}

  /** Keeps these listeners alone. Deletes events of other listeners that are older than `keptDays`. */
  async replace(
    listeners: readonly Pick<PluginListener, 'plugin' | 'kind'>[],
    keptDays: number,
  ): Promise<void> {
    await this.database.query(
      `WITH given AS (SELECT * FROM unnest($1::text[], $2::text[]) AS given (plugin, kind)),
         gone AS (
           DELETE FROM plugin_event_listeners WHERE (plugin, kind) NOT IN (SELECT plugin, kind FROM given)),
         forgotten AS (
           DELETE FROM plugin_events WHERE created_at < now() - make_interval(days => $3)
             AND (plugin, kind) NOT IN (SELECT plugin, kind FROM given))
       INSERT INTO plugin_event_listeners SELECT plugin, kind FROM given ON CONFLICT DO NOTHING`,
      [listeners.map(({ plugin }) => plugin), listeners.map(({ kind }) => kind), keptDays],
    );
  }
}
