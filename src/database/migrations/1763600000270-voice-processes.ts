import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The processes that carry the sound of calls, and which call was given to which. */
export class VoiceProcesses1763600000270 implements MigrationInterface {
  readonly name = 'VoiceProcesses1763600000270';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE voice_processes (
        id uuid PRIMARY KEY,
        address text NOT NULL,
        capacity integer NOT NULL CONSTRAINT voice_processes_capacity_positive CHECK (capacity > 0),
        load real NOT NULL,
        carriers text[] NOT NULL,
        draining boolean NOT NULL DEFAULT false,
        heartbeat_at timestamptz NOT NULL DEFAULT now()
      );
      ALTER TABLE active_calls ADD COLUMN voice_process_id uuid;
      CREATE INDEX active_calls_voice_process_id_idx ON active_calls (voice_process_id)
        WHERE voice_process_id IS NOT NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE active_calls DROP COLUMN voice_process_id;
      DROP TABLE voice_processes;
    `);
  }
}
