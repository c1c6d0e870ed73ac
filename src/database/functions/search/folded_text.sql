-- Purpose: Returns a text in lower case, without accents and punctuation, with words cut after 100 characters, as
--   search compares it.
-- Callers: words_of_account and account_search.
-- Locks: None.
-- Errors: None. The index messages_words_idx and the table conversation_words hold results: a migration that
--   changes this function rebuilds both.

CREATE OR REPLACE FUNCTION folded_text(p_text text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
SELECT regexp_replace(
  regexp_replace(
    lower(translate(p_text, 'áàâãäéèêëíìîïóòôõöúùûüçñÁÀÂÃÄÉÈÊËÍÌÎÏÓÒÔÕÖÚÙÛÜÇÑ',
      'aaaaaeeeeiiiiooooouuuucnAAAAAEEEEIIIIOOOOOUUUUCN')),
    '[-+@./\\:;,!?(){}"''<>=*&%$#~^|_\[\]]+', ' ', 'g'),
  '(\S{100})', '\1 ', 'g')
$$;
