import type { QueryRunner } from 'typeorm';
import { StatedMigration } from '../stated-migration.js';

/** E-mails that wait to be sent, and password links that people ask for themselves. */
export class Emails1764200000601 extends StatedMigration {
  readonly name = 'Emails1764200000601';
  readonly oldestRelease = '0.3.0';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE emails (
        id uuid NOT NULL,
        user_id integer NOT NULL,
        recipient text NOT NULL,
        status text NOT NULL DEFAULT 'waiting',
        sealed_content text,
        expires_at timestamptz NOT NULL,
        claimed_until timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT emails_pkey PRIMARY KEY (id),
        CONSTRAINT emails_status_known CHECK (status IN ('waiting', 'sent', 'refused', 'expired')),
        CONSTRAINT emails_content CHECK ((status = 'waiting') = (sealed_content IS NOT NULL)),
        CONSTRAINT emails_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
      );
      CREATE INDEX emails_user_id_idx ON emails (user_id, created_at);
      CREATE INDEX emails_recipient_idx ON emails (recipient, created_at);
      CREATE INDEX emails_waiting_idx ON emails (created_at) WHERE status = 'waiting';
      CREATE INDEX emails_created_at_idx ON emails (created_at);

      CREATE TABLE password_requests (
        id uuid NOT NULL,
        email text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT password_requests_pkey PRIMARY KEY (id)
      );
      CREATE UNIQUE INDEX password_requests_email_key ON password_requests (email);
      CREATE INDEX password_requests_created_at_idx ON password_requests (created_at);
    `);
  }
}
