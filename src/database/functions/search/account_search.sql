-- Purpose: Returns the query that finds texts of an account with all words of the search, each as a prefix. Null
--   when the search has no word.
-- Callers: ConversationListRepository.
-- Locks: None.
-- Errors: None.

CREATE OR REPLACE FUNCTION account_search(p_user_id integer, p_text text) RETURNS tsquery
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
SELECT string_agg('''' || p_user_id || ' ' ||
    replace(replace(word, '\', '\\'), '''', '''''') || ''':*', ' & ')::tsquery
FROM unnest(tsvector_to_array(to_tsvector('simple', public.folded_text(p_text)))) word
$$;
