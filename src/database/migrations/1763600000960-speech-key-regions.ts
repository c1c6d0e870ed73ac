import type { MigrationInterface, QueryRunner } from 'typeorm';

export class SpeechKeyRegions1763600000960 implements MigrationInterface {
  readonly name = 'SpeechKeyRegions1763600000960';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE model_keys
        ADD COLUMN region text,
        DROP CONSTRAINT model_keys_service_known,
        ADD CONSTRAINT model_keys_service_known CHECK (service IN ('chat', 'speech-deepgram', 'speech-elevenlabs',
          'speech-openai', 'speech-google', 'speech-xai', 'speech-azure', 'speech-cartesia'));
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DELETE FROM model_keys WHERE service IN ('speech-azure', 'speech-cartesia');
      ALTER TABLE model_keys
        DROP COLUMN region,
        DROP CONSTRAINT model_keys_service_known,
        ADD CONSTRAINT model_keys_service_known CHECK (service IN ('chat', 'speech-deepgram', 'speech-elevenlabs',
          'speech-openai', 'speech-google', 'speech-xai'));
    `);
  }
}
