import type { MigrationInterface, QueryRunner } from 'typeorm';

const UTC_DAY = "(now() AT TIME ZONE 'UTC')::date";
const UTC_HOUR = "date_trunc('hour', now(), 'UTC')";
const LOCK_WALLET = 'PERFORM FROM wallets WHERE user_id = p_user_id FOR NO KEY UPDATE;';
const LOCK_WALLET_OF_HOLD = 'PERFORM FROM wallets WHERE user_id = OLD.user_id FOR NO KEY UPDATE;';
const VISITORS_WITHOUT_REST = `
          visitors_micros = CASE WHEN hold.visitor_of IS NOT NULL AND visitors_on = held_on
                                 THEN visitors_micros - (hold.amount_micros - charge) ELSE visitors_micros END,`;
const USAGE_WITHOUT_REST = `
        IF hold.visitor_of IS NOT NULL AND charge < hold.amount_micros THEN
          UPDATE visitor_usage SET spent_micros = spent_micros - (hold.amount_micros - charge)
          WHERE assistant_id = hold.visitor_of AND day = held_on;
        END IF;`;

/**
 * What a visitor's call does not use of the money that was held for its longest duration goes back to the counters of visitors as
 * well, and not to the wallet alone. And whoever touches a wallet and the usage of an assistant locks the wallet first: a call
 * has locked it before it holds money, and a message that began with the usage could wait for it while it waited for the message.
 */
export class VisitorCounters1763600000840 implements MigrationInterface {
  readonly name = 'VisitorCounters1763600000840';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      holdVisitorMoney(LOCK_WALLET) +
        giveBackHold(LOCK_WALLET_OF_HOLD) +
        captureHold(VISITORS_WITHOUT_REST, USAGE_WITHOUT_REST),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(holdVisitorMoney('') + giveBackHold('') + captureHold('', ''));
  }
}

function holdVisitorMoney(first: string): string {
  return `
      CREATE OR REPLACE FUNCTION hold_visitor_money(
        p_id uuid, p_user_id integer, p_kind text, p_amount bigint, p_reference text, p_assistant_id integer,
        p_assistant_cap bigint, p_messages_per_hour integer, p_visitors_cap bigint, p_total_cap bigint
      ) RETURNS boolean LANGUAGE plpgsql AS $$
      BEGIN
        ${first}
        INSERT INTO visitor_usage AS usage (assistant_id, day, spent_micros, hour, messages)
        SELECT p_assistant_id, ${UTC_DAY}, p_amount, ${UTC_HOUR}, 1
        WHERE p_amount <= p_assistant_cap AND 1 <= p_messages_per_hour
        ON CONFLICT (assistant_id) DO UPDATE SET
          day = greatest(usage.day, excluded.day),
          spent_micros = CASE WHEN usage.day >= excluded.day THEN usage.spent_micros ELSE 0 END + p_amount,
          hour = greatest(usage.hour, excluded.hour),
          messages = CASE WHEN usage.hour >= excluded.hour THEN usage.messages ELSE 0 END + 1
        WHERE CASE WHEN usage.day >= excluded.day THEN usage.spent_micros ELSE 0 END + p_amount <= p_assistant_cap
          AND CASE WHEN usage.hour >= excluded.hour THEN usage.messages ELSE 0 END + 1 <= p_messages_per_hour;
        IF NOT FOUND THEN RETURN false; END IF;

        UPDATE wallets SET
          held_micros = held_micros + p_amount,
          visitors_micros = CASE WHEN visitors_on >= ${UTC_DAY} THEN visitors_micros ELSE 0 END + p_amount,
          visitors_on = greatest(visitors_on, ${UTC_DAY})
        WHERE user_id = p_user_id
          AND balance_micros - held_micros >= p_amount
          AND CASE WHEN visitors_on >= ${UTC_DAY} THEN visitors_micros ELSE 0 END + p_amount
                <= coalesce(visitors_cap_micros, p_visitors_cap)
          AND (p_total_cap IS NULL
               OR held_micros + p_amount + CASE WHEN spent_on = ${UTC_DAY} THEN spent_micros ELSE 0 END
                    <= p_total_cap);
        IF NOT FOUND THEN
          UPDATE visitor_usage SET spent_micros = spent_micros - p_amount, messages = messages - 1
          WHERE assistant_id = p_assistant_id;
          RETURN false;
        END IF;

        INSERT INTO holds (id, user_id, kind, amount_micros, reference, visitor_of)
        VALUES (p_id, p_user_id, p_kind, p_amount, p_reference, p_assistant_id);
        RETURN true;
      END $$;`;
}

function giveBackHold(first: string): string {
  return `
      CREATE OR REPLACE FUNCTION give_back_hold() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        held_on date := (OLD.created_at AT TIME ZONE 'UTC')::date;
      BEGIN
        IF OLD.visitor_of IS NOT NULL THEN
          ${first}
          UPDATE visitor_usage SET spent_micros = spent_micros - OLD.amount_micros
          WHERE assistant_id = OLD.visitor_of AND day = held_on;
        END IF;
        UPDATE wallets SET
          held_micros = held_micros - OLD.amount_micros,
          visitors_micros = CASE WHEN OLD.visitor_of IS NOT NULL AND visitors_on = held_on
                                 THEN visitors_micros - OLD.amount_micros ELSE visitors_micros END
        WHERE user_id = OLD.user_id;
        RETURN NULL;
      END $$;`;
}

function captureHold(visitors: string, usage: string): string {
  return `
      CREATE OR REPLACE FUNCTION capture_hold(p_id uuid, p_amount bigint) RETURNS bigint LANGUAGE plpgsql AS $$
      DECLARE
        hold holds;
        held_on date;
        charge bigint;
        balance bigint;
      BEGIN
        UPDATE holds SET state = 'captured'
        WHERE id = p_id AND state = 'held' AND coalesce(p_amount, amount_micros) <= amount_micros
        RETURNING * INTO hold;
        IF NOT FOUND THEN RETURN NULL; END IF;
        charge := coalesce(p_amount, hold.amount_micros);
        held_on := (hold.created_at AT TIME ZONE 'UTC')::date;
        UPDATE wallets SET${visitors}
          balance_micros = balance_micros - charge,
          held_micros = held_micros - hold.amount_micros,
          spent_micros = CASE WHEN spent_on = ${UTC_DAY} THEN spent_micros ELSE 0 END + charge,
          spent_on = ${UTC_DAY}
        WHERE user_id = hold.user_id
        RETURNING balance_micros INTO STRICT balance;
        INSERT INTO ledger_entries (user_id, kind, amount_micros, balance_after_micros, reference)
        VALUES (hold.user_id, hold.kind, -charge, balance, hold.reference);${usage}
        RETURN charge;
      END $$;`;
}
