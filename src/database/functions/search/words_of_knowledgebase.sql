-- Purpose: Prefixes each word of a vector with the id of its knowledge base, so that one index serves all of them.
--   The text form of a vector quotes every word and doubles quotes within.
-- Callers: ChunksRepository and WordReindexRepository.
-- Locks: None.
-- Errors: None. The column document_chunks.search holds results.

CREATE OR REPLACE FUNCTION words_of_knowledgebase(knowledgebase_id integer, words tsvector) RETURNS tsvector
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT regexp_replace(words::text, '''((?:[^'']|'''')+)''', '''' || knowledgebase_id || ' \1''', 'g')::tsvector
$$;
