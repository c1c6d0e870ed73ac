import type { MigrationInterface, QueryRunner } from 'typeorm';

export class PhoneNumbers1763600000005 implements MigrationInterface {
  readonly name = 'PhoneNumbers1763600000005';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE phone_numbers
        ADD COLUMN region text,
        ADD COLUMN sms_capable boolean NOT NULL DEFAULT false,
        ADD CONSTRAINT phone_numbers_identity_key UNIQUE (id, user_id, phone_number),
        ADD CONSTRAINT phone_numbers_type_known CHECK (type IN ('normal', 'sip', 'caller_id'));
      CREATE UNIQUE INDEX phone_numbers_rented_key ON phone_numbers (phone_number) WHERE type = 'normal';

      CREATE TABLE phone_number_grants (
        phone_number_id integer NOT NULL,
        user_id integer NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT phone_number_grants_pkey PRIMARY KEY (phone_number_id, user_id),
        CONSTRAINT phone_number_grants_phone_number_id_fkey
          FOREIGN KEY (phone_number_id) REFERENCES phone_numbers (id) ON DELETE CASCADE,
        CONSTRAINT phone_number_grants_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
      );
      CREATE INDEX phone_number_grants_user_id_idx ON phone_number_grants (user_id);

      CREATE TABLE sip_trunks (
        id integer NOT NULL,
        user_id integer NOT NULL,
        phone_number text NOT NULL,
        type text NOT NULL,
        username text NOT NULL,
        sealed_password text NOT NULL,
        address text NOT NULL,
        calling_format text NOT NULL,
        inbound_authorization_type text NOT NULL,
        allowed_inbound_ips text[],
        outbound_proxy boolean NOT NULL DEFAULT false,
        CONSTRAINT sip_trunks_pkey PRIMARY KEY (id),
        CONSTRAINT sip_trunks_account_key UNIQUE (user_id, phone_number, username, address),
        CONSTRAINT sip_trunks_ips_belong_to_ip
          CHECK ((inbound_authorization_type = 'ip') = (allowed_inbound_ips IS NOT NULL)),
        -- Both rows change in one transaction, the trunk first: hence checked at its end.
        CONSTRAINT sip_trunks_phone_number_fkey FOREIGN KEY (id, user_id, phone_number)
          REFERENCES phone_numbers (id, user_id, phone_number) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED
      );

      CREATE TABLE carrier_orders (
        id uuid NOT NULL,
        user_id integer NOT NULL,
        phone_number text NOT NULL,
        kind text NOT NULL,
        attempted_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT carrier_orders_pkey PRIMARY KEY (id),
        CONSTRAINT carrier_orders_phone_number_key UNIQUE (phone_number),
        CONSTRAINT carrier_orders_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id),
        CONSTRAINT carrier_orders_kind_known CHECK (kind IN ('buy', 'release'))
      );
      CREATE INDEX carrier_orders_attempted_at_idx ON carrier_orders (attempted_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE carrier_orders, sip_trunks, phone_number_grants;
      DROP INDEX phone_numbers_rented_key;
      ALTER TABLE phone_numbers
        DROP CONSTRAINT phone_numbers_type_known,
        DROP CONSTRAINT phone_numbers_identity_key,
        DROP COLUMN sms_capable,
        DROP COLUMN region;
    `);
  }
}
