-- Purpose: Returns when a conversation becomes idle if nothing else happens: the timeout of its assistant from
--   now, or 30 minutes when the assistant does not exist. In PL/pgSQL, because PostgreSQL plans the body of an SQL
--   function anew at each call.
-- Callers: ConversationsRepository, InboxRepository, begin_turn and finish_turn.
-- Locks: None.
-- Errors: None.

CREATE OR REPLACE FUNCTION conversation_idle_at(p_assistant_id integer) RETURNS timestamptz
LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN now() + make_interval(mins => coalesce((
    SELECT (config->>'conversation_inactivity_timeout')::integer
    FROM assistants WHERE id = p_assistant_id), 30));
END
$$;
