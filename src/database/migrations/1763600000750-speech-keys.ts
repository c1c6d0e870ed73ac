import type { MigrationInterface, QueryRunner } from 'typeorm';

export class SpeechKeys1763600000750 implements MigrationInterface {
  readonly name = 'SpeechKeys1763600000750';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE model_keys
        ADD COLUMN recognizer_model text,
        ADD COLUMN synthesizer_model text,
        DROP CONSTRAINT model_keys_service_known,
        ADD CONSTRAINT model_keys_service_known CHECK (service IN ('chat', 'speech-deepgram', 'speech-elevenlabs',
          'speech-openai', 'speech-google', 'speech-xai'));
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DELETE FROM model_keys WHERE service <> 'chat';
      ALTER TABLE model_keys
        DROP COLUMN recognizer_model,
        DROP COLUMN synthesizer_model,
        DROP CONSTRAINT model_keys_service_known,
        ADD CONSTRAINT model_keys_service_known CHECK (service IN ('chat'));
    `);
  }
}
