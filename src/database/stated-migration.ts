import { ForwardMigration } from './forward-migration.js';

/** As in `package.json`. */
export type ReleaseVersion = `${number}.${number}.${number}`;

/** A migration after 0.3.0: it states which older releases still run on the database. */
export abstract class StatedMigration extends ForwardMigration {
  /**
   * The oldest release whose processes run on the database after this migration. An older one refuses to start on it.
   * It is the release before where columns have defaults, and nothing is dropped, renamed or restricted that it uses.
   */
  abstract readonly oldestRelease: ReleaseVersion;
}
