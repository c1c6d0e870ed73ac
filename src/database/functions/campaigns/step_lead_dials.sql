-- Purpose: Applies the next step of leads after their attempts: 'retry' after a wait in milliseconds, 'completed',
--   'give-up' (the next contact of the person is called) or 'unclear'. An entry without id or step is ignored;
--   null lists count as empty. Attempts are settled with their leads in one statement, and only leads write their
--   tables.
-- Callers: LeadDialsRepository and DialAttemptsRepository.
-- Locks: The changed rows of lead_dials, then of leads, then the rows of other contacts in lead_dials.
-- Errors: None.

CREATE OR REPLACE FUNCTION step_lead_dials(
  p_lead_ids integer[], p_steps text[], p_waits_ms double precision[]
) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  UPDATE lead_dials SET
    state = CASE taken.step WHEN 'retry' THEN 'waiting' ELSE 'done' END,
    due_at = CASE taken.step WHEN 'retry' THEN now() + taken.wait_ms * interval '1 millisecond' ELSE due_at END
  FROM unnest(p_lead_ids, p_steps, p_waits_ms) AS taken (lead_id, step, wait_ms)
  WHERE lead_dials.lead_id = taken.lead_id AND taken.step IS NOT NULL;

  UPDATE leads SET
    status = CASE taken.step WHEN 'completed' THEN 'completed' ELSE 'reached-max-retries' END, updated_at = now()
  FROM unnest(p_lead_ids, p_steps) AS taken (lead_id, step)
  WHERE leads.id = taken.lead_id AND taken.step <> 'retry';

  -- The next contact of the person, whether the lead itself or another secondary contact was tried.
  IF 'give-up' = ANY (p_steps) THEN
    UPDATE lead_dials SET due_at = now()
    FROM unnest(p_lead_ids, p_steps) AS taken (lead_id, step)
    JOIN leads tried ON tried.id = taken.lead_id
    CROSS JOIN LATERAL (
      SELECT contact.id FROM leads contact JOIN lead_dials dial ON dial.lead_id = contact.id
      WHERE contact.parent_id = coalesce(tried.parent_id, tried.id) AND contact.position > tried.position
        AND dial.state = 'waiting' AND dial.due_at IS NULL
      ORDER BY contact.position LIMIT 1) AS next
    WHERE taken.step = 'give-up' AND lead_dials.lead_id = next.id;
  END IF;

  -- Other contacts of the person are not called any more. Their leads stay 'created'.
  IF p_steps && ARRAY['completed', 'unclear'] THEN
    UPDATE lead_dials SET state = 'done'
    FROM unnest(p_lead_ids, p_steps) AS taken (lead_id, step)
    JOIN leads tried ON tried.id = taken.lead_id
    JOIN leads contact ON contact.parent_id = coalesce(tried.parent_id, tried.id)
    WHERE taken.step IN ('completed', 'unclear') AND lead_dials.lead_id = contact.id
      AND lead_dials.state = 'waiting' AND lead_dials.due_at IS NULL;
  END IF;
END
$$;
