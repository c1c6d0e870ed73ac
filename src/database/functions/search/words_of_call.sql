-- Purpose: Returns what a call is found by: the words of its transcript, and each end of the digits of the customer's
--   number that has four digits or more, after a `#`. All are prefixed with the id of the account. A part of a number is
--   the beginning of one of its ends. Of a transcript the first 100,000 characters count, because a tsvector has at most
--   1 MB.
-- Callers: index_call_words and CallWordsRepository.
-- Locks: None.
-- Errors: None. The table call_words holds results: a migration that changes this function, words_of_account or
--   folded_text rebuilds it.

CREATE OR REPLACE FUNCTION words_of_call(p_user_id integer, p_number text, p_transcript text) RETURNS tsvector
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
  digits text := left(regexp_replace(coalesce(p_number, ''), '[^0-9]', '', 'g'), 32);
BEGIN
  RETURN array_to_tsvector(ARRAY(
      SELECT p_user_id || ' #' || substr(digits, start) FROM generate_series(1, length(digits) - 3) AS start))
    || words_of_account(p_user_id, left(coalesce(p_transcript, ''), 100000));
END
$$;
