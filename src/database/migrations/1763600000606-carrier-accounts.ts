import type { MigrationInterface, QueryRunner } from 'typeorm';

export class CarrierAccounts1763600000606 implements MigrationInterface {
  readonly name = 'CarrierAccounts1763600000606';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE carrier_accounts (
        id uuid NOT NULL,
        user_id integer NOT NULL,
        carrier text NOT NULL,
        account_sid text NOT NULL,
        label text,
        sealed_auth_token text NOT NULL,
        sealed_previous_auth_token text,
        previous_expires_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT carrier_accounts_pkey PRIMARY KEY (id),
        CONSTRAINT carrier_accounts_user_id_carrier_key UNIQUE (user_id, carrier),
        CONSTRAINT carrier_accounts_id_user_id_key UNIQUE (id, user_id),
        CONSTRAINT carrier_accounts_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
        CONSTRAINT carrier_accounts_carrier_known CHECK (carrier IN ('twilio'))
      );

      -- With the owner, so that no number is ever of another's account at a carrier. Nothing is deleted along: whoever
      -- forgets the credentials could not give the numbers back.
      ALTER TABLE phone_numbers ADD COLUMN carrier_account_id uuid,
        ADD CONSTRAINT phone_numbers_carrier_account_id_fkey FOREIGN KEY (carrier_account_id, user_id)
          REFERENCES carrier_accounts (id, user_id);
      CREATE INDEX phone_numbers_carrier_account_id_idx ON phone_numbers (carrier_account_id)
        WHERE carrier_account_id IS NOT NULL;

      ALTER TABLE carrier_orders ADD COLUMN carrier_account_id uuid,
        ADD CONSTRAINT carrier_orders_carrier_account_id_fkey FOREIGN KEY (carrier_account_id, user_id)
          REFERENCES carrier_accounts (id, user_id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE carrier_orders DROP COLUMN carrier_account_id;
      ALTER TABLE phone_numbers DROP COLUMN carrier_account_id;
      DROP TABLE carrier_accounts;
    `);
  }
}
