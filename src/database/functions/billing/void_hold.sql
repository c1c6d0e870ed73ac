-- Purpose: Cancels an open hold. The trigger holds_voided returns the money to the wallet at the commit.
-- Callers: BillingRepository, UnansweredCallsRepository and abandon_turn.
-- Locks: The hold.
-- Errors: None. A hold that is not open stays as it is.

CREATE OR REPLACE FUNCTION void_hold(p_id uuid) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  UPDATE holds SET state = 'voided' WHERE id = p_id AND state = 'held';
END
$$;
