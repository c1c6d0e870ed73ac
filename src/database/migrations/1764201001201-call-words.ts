import type { QueryRunner } from 'typeorm';
import { applyFunction } from '../functions/apply-functions.js';
import { StatedMigration } from '../stated-migration.js';

/**
 * What calls are found by, in a table of its own: a call is updated often while it runs, and each update of its row would write
 * all its words again. Calls from before are indexed later, in batches, so that no table is locked for long.
 */
export class CallWords1764201001201 extends StatedMigration {
  readonly name = 'CallWords1764201001201';
  readonly oldestRelease = '0.4.0';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- A search reads the rows of all calls that it finds. PostgreSQL stores long values apart from their rows only where a row
      -- exceeds 2 kB. The filler has rows with many words exceed it, and is 35 bytes once it is compressed.
      CREATE TABLE call_words (
        call_id integer NOT NULL,
        created_at timestamptz NOT NULL,
        words tsvector NOT NULL,
        filler bytea GENERATED ALWAYS AS (CASE WHEN length(words) > 30 THEN decode(repeat('00', 2048), 'hex') END) STORED,
        CONSTRAINT call_words_pkey PRIMARY KEY (call_id),
        CONSTRAINT call_words_call_id_fkey FOREIGN KEY (call_id) REFERENCES calls (id) ON DELETE CASCADE
      ) WITH (toast_tuple_target = 128);
      -- Without statistics every search reads the index: where a word is in most calls, the planner would read all words instead.
      ALTER TABLE call_words ALTER COLUMN words SET STATISTICS 0;
      CREATE INDEX call_words_words_idx ON call_words USING gin (words) WITH (fastupdate = off);
      -- One row while calls with a lower id may have no words yet, otherwise none.
      CREATE TABLE call_words_backlog (
        is_only boolean NOT NULL DEFAULT true,
        before_id integer NOT NULL,
        CONSTRAINT call_words_backlog_pkey PRIMARY KEY (is_only),
        CONSTRAINT call_words_backlog_is_only_check CHECK (is_only)
      );
    `);
    await applyFunction(runner, 'search/words_of_call');
    await applyFunction(runner, 'calls/index_call_words');
    // Under the lock that creates the triggers: each call is either here or has fired them.
    await runner.query(`
      INSERT INTO call_words_backlog (before_id) SELECT max(id) + 1 FROM calls HAVING max(id) IS NOT NULL
    `);
  }
}
