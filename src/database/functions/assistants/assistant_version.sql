-- Purpose: Returns a text that changes whenever the compiled assistant would change: with the assistant itself,
--   its tools, its MCP tools or its knowledge base. Null when the account has no such assistant. Most assistants
--   have none of these, and cost one read of each of two indexes.
-- Callers: AssistantsRepository and begin_turn.
-- Locks: None.
-- Errors: None.

CREATE OR REPLACE FUNCTION assistant_version(p_user_id integer, p_id integer) RETURNS text
LANGUAGE plpgsql STABLE AS $$
DECLARE
  base_id integer;
  version text;
BEGIN
  SELECT concat_ws('/', revision, phone_number_id), knowledgebase_id INTO version, base_id
  FROM assistants WHERE id = p_id AND user_id = p_user_id;
  IF NOT FOUND THEN RETURN NULL; END IF;
  IF base_id IS NOT NULL THEN
    version := concat_ws('/', version, (
      SELECT concat('base', id, '@', extract(epoch FROM updated_at), status)
      FROM knowledgebases WHERE id = base_id));
  END IF;
  IF EXISTS (SELECT FROM assistant_tools WHERE assistant_id = p_id) THEN
    version := concat_ws('/', version, (
      SELECT string_agg(concat('tool', tool.id, '@', extract(epoch FROM tool.updated_at)), ',' ORDER BY link.position)
      FROM assistant_tools link JOIN tools tool ON tool.id = link.tool_id
      WHERE link.assistant_id = p_id));
  END IF;
  IF EXISTS (SELECT FROM assistant_mcp_tools WHERE assistant_id = p_id) THEN
    version := concat_ws('/', version, (
      SELECT string_agg(
        concat('mcp', tool.id, '@', extract(epoch FROM greatest(tool.updated_at, server.updated_at))), ','
        ORDER BY tool.id)
      FROM assistant_mcp_tools link JOIN mcp_tools tool ON tool.id = link.tool_id
        JOIN mcp_servers server ON server.id = tool.server_id
      WHERE link.assistant_id = p_id));
  END IF;
  RETURN version;
END
$$;
