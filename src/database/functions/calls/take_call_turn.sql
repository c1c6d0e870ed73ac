-- Purpose: Gives an outgoing call the next free moment under the rates of its SIP trunk, account and carrier. A
--   step is the time between two calls in milliseconds; a null step means no limit. Null patience takes the turn
--   at once and moves the following calls. Outcome 'taken': start after wait_ms. Outcome 'lined-up': ask again
--   after wait_ms with p_is_lined_up. Outcome 'held': the wait for trunk or account exceeds p_owner_patience.
--   Outcome 'crowded': the wait for the carrier exceeds p_carrier_patience.
-- Callers: CallPaceRepository.
-- Locks: The rows of the trunk, the account and the carrier in this order, so that two calls never deadlock.
-- Errors: Raises foreign_key_violation when the account does not exist. A trunk that was deleted in the meantime
--   is no error.

CREATE OR REPLACE FUNCTION take_call_turn(
  p_carrier text, p_carrier_step double precision, p_trunk_id integer, p_trunk_step double precision,
  p_user_id integer, p_account_step double precision, p_carrier_patience double precision,
  p_owner_patience double precision, p_is_lined_up boolean, OUT outcome text, OUT wait_ms double precision
)
LANGUAGE plpgsql AS $$
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
        -- The trunk was deleted while the call waited.
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

  -- A call that waits for its own trunk or account takes no turn of the carrier yet: other calls would wait too.
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
END
$$;
