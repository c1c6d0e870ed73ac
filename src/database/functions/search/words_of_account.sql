-- Purpose: Returns the words of a text, each prefixed with the id of its account, so that one index serves all
--   accounts. In PL/pgSQL, because PostgreSQL plans the body of an SQL function anew at each call.
-- Callers: Index messages_words_idx, ConversationsRepository and ConversationListRepository.
-- Locks: None.
-- Errors: None. The index messages_words_idx and the table conversation_words hold results: a migration that
--   changes this function rebuilds both.

CREATE OR REPLACE FUNCTION words_of_account(p_user_id integer, p_text text) RETURNS tsvector
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  words text[] := tsvector_to_array(to_tsvector('simple', public.folded_text(p_text)));
  account text := p_user_id || ' ';
BEGIN
  IF words = '{}' THEN RETURN ''; END IF;
  -- A word holds no control character.
  RETURN array_to_tsvector(
    string_to_array(account || array_to_string(words, E'\x01' || account), E'\x01'));
END
$$;
