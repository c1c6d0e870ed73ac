-- Purpose: Stores each prompt that an assistant gets, in the statement that sets it, and keeps the newest 50. Old
--   prompts are deleted in one change of ten, because the search for them took half of the time of a change.
-- Callers: Triggers assistants_prompt_added and assistants_prompt_changed.
-- Locks: The deleted rows of assistant_prompts.
-- Errors: None.

CREATE OR REPLACE FUNCTION keep_prompt_version() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO assistant_prompts (user_id, assistant_id, system_prompt)
  VALUES (NEW.user_id, NEW.id, NEW.config->>'system_prompt');
  IF TG_OP = 'UPDATE' AND random() < 0.1 THEN
    DELETE FROM assistant_prompts WHERE assistant_id = NEW.id AND id <= (
      SELECT id FROM assistant_prompts WHERE assistant_id = NEW.id ORDER BY id DESC OFFSET 50 LIMIT 1);
  END IF;
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER assistants_prompt_added AFTER INSERT ON assistants FOR EACH ROW
  WHEN (NEW.config->>'system_prompt' IS NOT NULL)
  EXECUTE FUNCTION keep_prompt_version();

CREATE OR REPLACE TRIGGER assistants_prompt_changed AFTER UPDATE OF config ON assistants FOR EACH ROW
  WHEN (NEW.config->>'system_prompt' IS DISTINCT FROM OLD.config->>'system_prompt')
  EXECUTE FUNCTION keep_prompt_version();
