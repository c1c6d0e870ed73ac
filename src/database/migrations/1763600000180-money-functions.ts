import type { MigrationInterface, QueryRunner } from 'typeorm';

const UTC_DAY = "(now() AT TIME ZONE 'UTC')::date";
const UTC_HOUR = "date_trunc('hour', now(), 'UTC')";

/**
 * How money is held, captured and voided, as functions of billing: other modules' functions call them, so that a chat
 * turn stores its message and holds its price in one round trip and billing's tables are still touched by billing alone.
 */
export class MoneyFunctions1763600000180 implements MigrationInterface {
  readonly name = 'MoneyFunctions1763600000180';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Sets money aside for the owner's own work. False, and nothing has changed, when the free balance or the daily cap
      -- does not allow it. One guarded UPDATE decides: there is no read before it that could be out of date.
      CREATE FUNCTION hold_own_money(
        p_id uuid, p_user_id integer, p_kind text, p_amount bigint, p_reference text, p_daily_cap bigint
      ) RETURNS boolean LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE wallets SET held_micros = held_micros + p_amount
        WHERE user_id = p_user_id
          AND balance_micros - held_micros >= p_amount
          AND (p_daily_cap IS NULL
               OR held_micros
                  + CASE WHEN spent_on = ${UTC_DAY} THEN spent_micros ELSE 0 END
                  - CASE WHEN visitors_on >= ${UTC_DAY} THEN visitors_micros ELSE 0 END
                  + p_amount <= p_daily_cap);
        IF NOT FOUND THEN RETURN false; END IF;
        INSERT INTO holds (id, user_id, kind, amount_micros, reference)
        VALUES (p_id, p_user_id, p_kind, p_amount, p_reference);
        RETURN true;
      END $$;

      -- Sets money aside that a visitor spends, and counts it and the message. False, and nothing has changed, when the
      -- free balance or a limit does not allow it. A transaction that began before midnight may come after one of the
      -- new day: the window never goes back, or each would take the counter back to zero.
      CREATE FUNCTION hold_visitor_money(
        p_id uuid, p_user_id integer, p_kind text, p_amount bigint, p_reference text, p_assistant_id integer,
        p_assistant_cap bigint, p_messages_per_hour integer, p_visitors_cap bigint, p_total_cap bigint
      ) RETURNS boolean LANGUAGE plpgsql AS $$
      BEGIN
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
      END $$;

      -- One of the two, as the terms say, which billing makes: id, kind, amount, totalCap, and for a visitor's work also
      -- assistantId, assistantCap, messagesPerHour and visitorsCap.
      CREATE FUNCTION hold_money(p_user_id integer, p_reference text, p_terms jsonb) RETURNS boolean
      LANGUAGE plpgsql AS $$
      BEGIN
        IF p_terms->>'assistantId' IS NULL THEN
          RETURN hold_own_money(
            (p_terms->>'id')::uuid, p_user_id, p_terms->>'kind', (p_terms->>'amount')::bigint, p_reference,
            (p_terms->>'totalCap')::bigint);
        END IF;
        RETURN hold_visitor_money(
          (p_terms->>'id')::uuid, p_user_id, p_terms->>'kind', (p_terms->>'amount')::bigint, p_reference,
          (p_terms->>'assistantId')::integer, (p_terms->>'assistantCap')::bigint,
          (p_terms->>'messagesPerHour')::integer, (p_terms->>'visitorsCap')::bigint,
          (p_terms->>'totalCap')::bigint);
      END $$;

      -- The hold that an interrupted run of the same work has left open, its age begun anew; null when there is none. A
      -- voided one gives its reference up for another, and keeps it with its id behind it.
      CREATE FUNCTION resume_hold(p_user_id integer, p_reference text) RETURNS uuid LANGUAGE plpgsql AS $$
      DECLARE
        resumed uuid;
      BEGIN
        UPDATE holds SET reference = reference || ':' || id
        WHERE user_id = p_user_id AND reference = p_reference AND state = 'voided';
        UPDATE holds SET created_at = now()
        WHERE user_id = p_user_id AND reference = p_reference AND state = 'held'
        RETURNING id INTO resumed;
        RETURN resumed;
      END $$;

      -- Turns a hold into a charge of all that was held (p_amount null) or of less. Returns the charge; null, and nothing
      -- has changed, when the hold is not open any more or holds less than is charged.
      CREATE FUNCTION capture_hold(p_id uuid, p_amount bigint) RETURNS bigint LANGUAGE plpgsql AS $$
      DECLARE
        hold holds;
        charge bigint;
        balance bigint;
      BEGIN
        UPDATE holds SET state = 'captured'
        WHERE id = p_id AND state = 'held' AND coalesce(p_amount, amount_micros) <= amount_micros
        RETURNING * INTO hold;
        IF NOT FOUND THEN RETURN NULL; END IF;
        charge := coalesce(p_amount, hold.amount_micros);
        UPDATE wallets SET
          balance_micros = balance_micros - charge,
          held_micros = held_micros - hold.amount_micros,
          spent_micros = CASE WHEN spent_on = ${UTC_DAY} THEN spent_micros ELSE 0 END + charge,
          spent_on = ${UTC_DAY}
        WHERE user_id = hold.user_id
        RETURNING balance_micros INTO STRICT balance;
        INSERT INTO ledger_entries (user_id, kind, amount_micros, balance_after_micros, reference)
        VALUES (hold.user_id, hold.kind, -charge, balance, hold.reference);
        RETURN charge;
      END $$;

      -- The wallet has the money back with the commit: the trigger holds_voided sees to it.
      CREATE FUNCTION void_hold(p_id uuid) RETURNS void LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE holds SET state = 'voided' WHERE id = p_id AND state = 'held';
      END $$;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'DROP FUNCTION void_hold, capture_hold, resume_hold, hold_money, hold_visitor_money, hold_own_money',
    );
  }
}
