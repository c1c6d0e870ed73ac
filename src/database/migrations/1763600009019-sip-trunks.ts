import type { QueryRunner } from 'typeorm';
import { ForwardMigration } from '../forward-migration.js';

/**
 * The state of each SIP trunk at the process that serves it, and limits, encryption and outbound proxy of trunks.
 * A proxy without an address is the address of the trunk. Processes of 0.2.0 know only the boolean.
 */
export class SipTrunks1763600009019 extends ForwardMigration {
  readonly name = 'SipTrunks1763600009019';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE sip_trunk_states (
        trunk_id integer NOT NULL,
        user_id integer NOT NULL,
        inbound_id text NOT NULL,
        outbound_id text NOT NULL,
        registration text,
        reason text,
        reachable boolean,
        CONSTRAINT sip_trunk_states_pkey PRIMARY KEY (trunk_id),
        CONSTRAINT sip_trunk_states_trunk_id_fkey FOREIGN KEY (trunk_id) REFERENCES sip_trunks (id) ON DELETE CASCADE,
        CONSTRAINT sip_trunk_states_registration_known
          CHECK (registration IN ('registering', 'registered', 'failed', 'unregistered'))
      );
      CREATE INDEX sip_trunk_states_user_id_idx ON sip_trunk_states (user_id);

      ALTER TABLE sip_trunks
        ADD COLUMN media_encryption text NOT NULL DEFAULT 'allowed',
        ADD COLUMN max_parallel_calls integer,
        ADD COLUMN outbound_proxy_address text,
        ADD CONSTRAINT sip_trunks_media_encryption_known CHECK (media_encryption IN ('disabled', 'allowed', 'required')),
        ADD CONSTRAINT sip_trunks_max_parallel_calls_positive CHECK (max_parallel_calls >= 1);
    `);
  }
}
