-- Purpose: Keeps what a call is found by when its number or its transcript changes. A trigger, so that calls that a
--   process of the release before writes or erases are indexed too. A call without words has no row.
-- Callers: Triggers calls_words_added and calls_words_changed, once for each row.
-- Locks: The row of call_words of the call, whose own row the statement has locked.
-- Errors: None.

CREATE OR REPLACE FUNCTION index_call_words() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
  found tsvector := words_of_call(NEW.user_id, NEW.client_phone_number, NEW.transcript);
BEGIN
  IF found = '' THEN
    DELETE FROM call_words WHERE call_id = NEW.id;
  ELSE
    INSERT INTO call_words (call_id, created_at, words) VALUES (NEW.id, NEW.created_at, found)
    ON CONFLICT (call_id) DO UPDATE SET created_at = excluded.created_at, words = excluded.words;
  END IF;
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER calls_words_added AFTER INSERT ON calls
  FOR EACH ROW WHEN (NEW.client_phone_number IS NOT NULL OR NEW.transcript <> '')
  EXECUTE FUNCTION index_call_words();

CREATE OR REPLACE TRIGGER calls_words_changed AFTER UPDATE OF client_phone_number, transcript, created_at ON calls
  FOR EACH ROW WHEN (OLD.client_phone_number IS DISTINCT FROM NEW.client_phone_number
    OR OLD.transcript IS DISTINCT FROM NEW.transcript OR OLD.created_at IS DISTINCT FROM NEW.created_at)
  EXECUTE FUNCTION index_call_words();
