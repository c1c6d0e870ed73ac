-- Purpose: Returns the query that finds the calls of an account that have all parts of a search. A part is words, or
--   digits together with the words that they could be instead: digits find parts of numbers. The last word of the last
--   part is a prefix when it has three characters or more: one or two characters begin too many words. Null when no part
--   has a word or digits.
-- Callers: CallListRepository.
-- Locks: None.
-- Errors: None.

CREATE OR REPLACE FUNCTION call_search(p_user_id integer, p_words text[], p_digits text[]) RETURNS tsquery
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
  account text := p_user_id || ' ';
  part tsquery;
  found tsquery;
BEGIN
  FOR i IN 1 .. cardinality(p_words) LOOP
    SELECT string_agg('''' || account || replace(replace(lexeme, '\', '\\'), '''', '''''') || ''''
        || CASE WHEN i = cardinality(p_words) AND place = last_place AND length(lexeme) >= 3 THEN ':*' ELSE '' END,
        ' & ')::tsquery
      INTO part
      FROM (SELECT lexeme, positions[cardinality(positions)] AS place,
              max(positions[cardinality(positions)]) OVER () AS last_place
            FROM unnest(to_tsvector('simple', folded_text(p_words[i])))) AS words;
    IF p_digits[i] IS NOT NULL THEN
      part := coalesce(part || ('''' || account || '#' || p_digits[i] || ''':*')::tsquery,
        ('''' || account || '#' || p_digits[i] || ''':*')::tsquery);
    END IF;
    found := coalesce(found && part, found, part);
  END LOOP;
  RETURN found;
END
$$;
