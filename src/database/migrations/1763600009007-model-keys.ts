import type { QueryRunner } from 'typeorm';
import { ForwardMigration } from '../forward-migration.js';

export class ModelKeys1763600009007 extends ForwardMigration {
  readonly name = 'ModelKeys1763600009007';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE model_keys (
        user_id integer NOT NULL,
        service text NOT NULL,
        version uuid NOT NULL,
        base_url text,
        sealed_api_key text NOT NULL,
        model text,
        refused_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        recognizer_model text,
        synthesizer_model text,
        region text,
        CONSTRAINT model_keys_pkey PRIMARY KEY (user_id, service),
        CONSTRAINT model_keys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
        CONSTRAINT model_keys_service_known CHECK (service IN ('chat', 'speech-deepgram', 'speech-elevenlabs',
          'speech-openai', 'speech-google', 'speech-xai', 'speech-azure', 'speech-cartesia'))
      );
    `);
  }
}
