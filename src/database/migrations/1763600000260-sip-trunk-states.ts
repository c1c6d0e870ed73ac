import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How SIP trunks stand at the process that serves them. */
export class SipTrunkStates1763600000260 implements MigrationInterface {
  readonly name = 'SipTrunkStates1763600000260';

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
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE sip_trunk_states');
  }
}
