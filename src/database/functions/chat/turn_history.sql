-- Purpose: Returns what a model may see of a conversation before a message, oldest first. Function calls are
--   included for about the last 65,536 characters of them. Most conversations have none and are read without the
--   sum over lengths, which took a fifth of the time.
-- Callers: begin_turn.
-- Locks: None.
-- Errors: None.

CREATE OR REPLACE FUNCTION turn_history(p_conversation_id uuid, p_before bigint, p_limit integer) RETURNS json
LANGUAGE plpgsql STABLE AS $$
DECLARE
  history json;
  has_calls boolean;
BEGIN
  SELECT coalesce(json_agg(json_build_object('id', id, 'role', role, 'content', content) ORDER BY id), '[]'),
         bool_or(function_calls <> '[]')
    INTO history, has_calls
    FROM (SELECT id, role, content, function_calls FROM messages
          WHERE conversation_id = p_conversation_id AND id < p_before
          ORDER BY id DESC LIMIT p_limit) last;
  IF NOT coalesce(has_calls, false) THEN RETURN history; END IF;
  RETURN (
    SELECT coalesce(json_agg(
      CASE WHEN length = 0 OR newer > 65536
        THEN json_build_object('id', id, 'role', role, 'content', content)
        ELSE json_build_object('id', id, 'role', role, 'content', content, 'functionCalls', function_calls)
      END ORDER BY id), '[]')
    FROM (
      SELECT *, sum(length) OVER (ORDER BY id DESC) - length AS newer
      FROM (
        SELECT id, role, content, function_calls,
          CASE WHEN function_calls = '[]' THEN 0 ELSE coalesce(length(function_calls::text), 0) END AS length
        FROM messages
        WHERE conversation_id = p_conversation_id AND id < p_before
        ORDER BY id DESC LIMIT p_limit) last) counted);
END
$$;
