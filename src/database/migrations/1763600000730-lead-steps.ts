import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What leads do after their attempts, in one call for several of them. */
export class LeadSteps1763600000730 implements MigrationInterface {
  readonly name = 'LeadSteps1763600000730';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Takes the next step of leads: 'retry' after so many milliseconds, 'completed', 'give-up' (their next contact is
      -- called instead) or 'unclear'. One without an id or a step is left out; null lists are empty ones. A function of the
      -- leads, so that attempts are settled together with their leads in one statement, and the leads' tables are still
      -- written by the leads alone.
      CREATE FUNCTION step_lead_dials(
        p_lead_ids integer[], p_steps text[], p_waits_ms double precision[]
      ) RETURNS void LANGUAGE plpgsql AS $$
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

        -- After the lead itself or another secondary contact of the same person.
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

        -- Their leads stay 'created', since nobody called them.
        IF p_steps && ARRAY['completed', 'unclear'] THEN
          UPDATE lead_dials SET state = 'done'
          FROM unnest(p_lead_ids, p_steps) AS taken (lead_id, step)
          JOIN leads tried ON tried.id = taken.lead_id
          JOIN leads contact ON contact.parent_id = coalesce(tried.parent_id, tried.id)
          WHERE taken.step IN ('completed', 'unclear') AND lead_dials.lead_id = contact.id
            AND lead_dials.state = 'waiting' AND lead_dials.due_at IS NULL;
        END IF;
      END $$;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION step_lead_dials;');
  }
}
