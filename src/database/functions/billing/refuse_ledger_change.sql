-- Purpose: Keeps the ledger append-only.
-- Callers: Trigger ledger_entries_append_only.
-- Locks: None.
-- Errors: Raises 'ledger entries are never changed or deleted'.

CREATE OR REPLACE FUNCTION refuse_ledger_change() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'ledger entries are never changed or deleted';
END
$$;

CREATE OR REPLACE TRIGGER ledger_entries_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_entries
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_ledger_change();
