import type { QueryRunner } from 'typeorm';
import { StatedMigration } from '../stated-migration.js';

/** Counts of calls by how they were routed, and the indexes that list and count them. No release has written a routing before. */
export class RoutingCounts1764201000401 extends StatedMigration {
  readonly name = 'RoutingCounts1764201000401';
  readonly oldestRelease = '0.4.0';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE call_count_changes
        ADD COLUMN branch text NOT NULL DEFAULT '',
        ADD COLUMN reason text NOT NULL DEFAULT '';

      CREATE TABLE call_routing_counts (
        user_id integer NOT NULL,
        period text NOT NULL,
        starts_on date NOT NULL,
        status text NOT NULL,
        type text NOT NULL,
        assistant_id integer NOT NULL,
        campaign_id integer NOT NULL,
        branch text NOT NULL,
        reason text NOT NULL,
        calls integer NOT NULL,
        CONSTRAINT call_routing_counts_pkey
          PRIMARY KEY (user_id, period, starts_on, status, type, assistant_id, campaign_id, branch, reason)
      );
      CREATE INDEX call_routing_counts_empty_idx ON call_routing_counts (user_id) WHERE calls = 0;

      CREATE INDEX calls_routed_idx ON calls (
        user_id, status, type, coalesce(assistant_id, 0), coalesce(campaign_id, 0),
        (routing->>'branch'), coalesce(routing->>'reason', ''), created_at, id)
        WHERE routing IS NOT NULL;
      CREATE INDEX calls_inbound_idx ON calls (user_id, created_at) INCLUDE (assistant_phone_number, routing)
        WHERE type = 'inbound' AND routing IS NOT NULL;
    `);
  }
}
