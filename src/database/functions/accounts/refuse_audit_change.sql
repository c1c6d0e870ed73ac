-- Purpose: Keeps the audit log append-only. An entry gets its outcome once and is never changed otherwise.
-- Callers: Trigger audit_log_entries_append_only.
-- Locks: None.
-- Errors: Raises 'audit entries are never changed'.

CREATE OR REPLACE FUNCTION refuse_audit_change() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'audit entries are never changed';
END
$$;

CREATE OR REPLACE TRIGGER audit_log_entries_append_only BEFORE UPDATE ON audit_log_entries FOR EACH ROW
  WHEN (OLD.status IS NOT NULL
    OR (OLD.id, OLD.user_id, OLD.via, OLD.token_id, OLD.member_id, OLD.network, OLD.action, OLD.reason, OLD.created_at)
      IS DISTINCT FROM
      (NEW.id, NEW.user_id, NEW.via, NEW.token_id, NEW.member_id, NEW.network, NEW.action, NEW.reason, NEW.created_at))
  EXECUTE FUNCTION refuse_audit_change();
