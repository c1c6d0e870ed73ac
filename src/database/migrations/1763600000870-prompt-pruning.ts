import type { MigrationInterface, QueryRunner } from 'typeorm';

const KEPT_VERSIONS = 50;

/**
 * Forgets old prompts in one change of ten. To look for them each time took half of what changing an assistant costs, and
 * more the more of them had been deleted since the last vacuum. A new assistant has none.
 */
export class PromptPruning1763600000870 implements MigrationInterface {
  readonly name = 'PromptPruning1763600000870';

  async up(runner: QueryRunner): Promise<void> {
    await keepPrompts(runner, "IF TG_OP = 'UPDATE' AND random() < 0.1 THEN", 'END IF;');
  }

  async down(runner: QueryRunner): Promise<void> {
    await keepPrompts(runner, '', '');
  }
}

async function keepPrompts(runner: QueryRunner, condition: string, end: string): Promise<void> {
  await runner.query(`
    CREATE OR REPLACE FUNCTION keep_prompt_version() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      INSERT INTO assistant_prompts (user_id, assistant_id, system_prompt)
      VALUES (NEW.user_id, NEW.id, NEW.config->>'system_prompt');
      ${condition}
        DELETE FROM assistant_prompts WHERE assistant_id = NEW.id AND id <= (
          SELECT id FROM assistant_prompts WHERE assistant_id = NEW.id ORDER BY id DESC OFFSET ${KEPT_VERSIONS} LIMIT 1);
      ${end}
      RETURN NULL;
    END $$;
  `);
}
