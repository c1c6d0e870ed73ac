import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How many calls a second each account makes and each SIP trunk carries, beside those of a carrier. */
export class CallPaces1763600000780 implements MigrationInterface {
  readonly name = 'CallPaces1763600000780';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE plans ADD COLUMN max_calls_per_second double precision,
        ADD CONSTRAINT plans_max_calls_per_second_positive CHECK (max_calls_per_second > 0);
      ALTER TABLE active_calls ADD COLUMN calls_per_second double precision;

      CREATE TABLE account_paces (
        user_id integer NOT NULL CONSTRAINT account_paces_pkey PRIMARY KEY
          CONSTRAINT account_paces_user_id_fkey REFERENCES users (id) ON DELETE CASCADE,
        next_at timestamptz NOT NULL,
        place_at timestamptz NOT NULL,
        step_ms double precision NOT NULL
      );

      CREATE TABLE trunk_paces (
        trunk_id integer NOT NULL CONSTRAINT trunk_paces_pkey PRIMARY KEY
          CONSTRAINT trunk_paces_trunk_id_fkey REFERENCES sip_trunks (id) ON DELETE CASCADE,
        user_id integer NOT NULL,
        next_at timestamptz NOT NULL,
        place_at timestamptz NOT NULL,
        step_ms double precision NOT NULL
      );
      CREATE INDEX trunk_paces_user_id_idx ON trunk_paces (user_id);

      -- A step that is null is no limit, a patience that is null is a call that waits for nobody. Rows are locked in the order
      -- trunk, account, carrier, so that no two calls wait for one another.
      CREATE FUNCTION take_call_turn(
        p_carrier text, p_carrier_step double precision, p_trunk_id integer, p_trunk_step double precision,
        p_user_id integer, p_account_step double precision,
        p_carrier_patience double precision, p_owner_patience double precision, p_is_lined_up boolean,
        OUT outcome text, OUT wait_ms double precision
      ) LANGUAGE plpgsql AS $$
      DECLARE
        ms CONSTANT interval := interval '1 millisecond';
        trunk trunk_paces;
        account account_paces;
        carrier carrier_paces;
        moment timestamptz;
        owner_at timestamptz;
        turn_at timestamptz;
      BEGIN
        IF p_trunk_step IS NOT NULL THEN
          SELECT * INTO trunk FROM trunk_paces WHERE trunk_id = p_trunk_id FOR NO KEY UPDATE;
          IF NOT FOUND THEN
            BEGIN
              INSERT INTO trunk_paces VALUES (p_trunk_id, p_user_id, clock_timestamp(), clock_timestamp(), p_trunk_step)
              ON CONFLICT DO NOTHING;
            EXCEPTION WHEN foreign_key_violation THEN
              -- The trunk was deleted while its call waited.
              NULL;
            END;
            SELECT * INTO trunk FROM trunk_paces WHERE trunk_id = p_trunk_id FOR NO KEY UPDATE;
          END IF;
        END IF;
        IF p_account_step IS NOT NULL THEN
          SELECT * INTO account FROM account_paces WHERE user_id = p_user_id FOR NO KEY UPDATE;
          IF NOT FOUND THEN
            INSERT INTO account_paces VALUES (p_user_id, clock_timestamp(), clock_timestamp(), p_account_step)
            ON CONFLICT DO NOTHING;
            SELECT * INTO account FROM account_paces WHERE user_id = p_user_id FOR NO KEY UPDATE;
          END IF;
        END IF;
        IF p_carrier_step IS NOT NULL THEN
          SELECT * INTO carrier FROM carrier_paces WHERE carrier_paces.carrier = p_carrier FOR NO KEY UPDATE;
          IF NOT FOUND THEN
            INSERT INTO carrier_paces VALUES (p_carrier, clock_timestamp()) ON CONFLICT DO NOTHING;
            SELECT * INTO carrier FROM carrier_paces WHERE carrier_paces.carrier = p_carrier FOR NO KEY UPDATE;
          END IF;
        END IF;

        moment := clock_timestamp();
        IF p_carrier_patience IS NULL THEN
          outcome := 'taken';
          wait_ms := 0;
          UPDATE trunk_paces SET step_ms = p_trunk_step, next_at = greatest(next_at, moment) + p_trunk_step * ms,
            place_at = greatest(place_at, moment) + p_trunk_step * ms
          WHERE trunk_id = trunk.trunk_id;
          UPDATE account_paces SET step_ms = p_account_step, next_at = greatest(next_at, moment) + p_account_step * ms,
            place_at = greatest(place_at, moment) + p_account_step * ms
          WHERE user_id = account.user_id;
          UPDATE carrier_paces SET next_at = greatest(next_at, moment) + p_carrier_step * ms
          WHERE carrier_paces.carrier = carrier.carrier;
          RETURN;
        END IF;

        IF carrier.next_at > moment + p_carrier_patience * ms THEN
          outcome := 'crowded';
          wait_ms := extract(epoch FROM carrier.next_at - moment) * 1000;
          RETURN;
        END IF;

        owner_at := CASE WHEN p_is_lined_up THEN moment ELSE greatest(moment, trunk.next_at, account.next_at) END;
        IF owner_at > moment + p_owner_patience * ms THEN
          outcome := 'held';
          wait_ms := extract(epoch FROM owner_at - moment) * 1000;
          RETURN;
        END IF;

        -- Whoever waits for its own trunk or account is given no turn of the carrier yet: others would wait for it as well.
        IF owner_at > moment AND p_carrier_step IS NOT NULL THEN
          outcome := 'lined-up';
          turn_at := owner_at;
        ELSE
          outcome := 'taken';
          turn_at := greatest(owner_at, trunk.place_at, account.place_at, carrier.next_at);
        END IF;
        wait_ms := extract(epoch FROM turn_at - moment) * 1000;

        UPDATE trunk_paces SET step_ms = p_trunk_step,
          next_at = CASE WHEN p_is_lined_up THEN next_at ELSE owner_at + p_trunk_step * ms END,
          place_at = CASE outcome WHEN 'taken' THEN turn_at + p_trunk_step * ms ELSE place_at END
        WHERE trunk_id = trunk.trunk_id;
        UPDATE account_paces SET step_ms = p_account_step,
          next_at = CASE WHEN p_is_lined_up THEN next_at ELSE owner_at + p_account_step * ms END,
          place_at = CASE outcome WHEN 'taken' THEN turn_at + p_account_step * ms ELSE place_at END
        WHERE user_id = account.user_id;
        UPDATE carrier_paces SET next_at = turn_at + p_carrier_step * ms
        WHERE outcome = 'taken' AND carrier_paces.carrier = carrier.carrier;
      END;
      $$;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP FUNCTION take_call_turn;
      DROP TABLE trunk_paces;
      DROP TABLE account_paces;
      ALTER TABLE active_calls DROP COLUMN calls_per_second;
      ALTER TABLE plans DROP COLUMN max_calls_per_second;
    `);
  }
}
