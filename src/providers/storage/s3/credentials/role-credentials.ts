import type { AwsCredentials, CredentialSource } from './aws-credentials.js';

/** Before they expire, they are fetched again, while the old ones still sign. */
const REFRESH_BEFORE_MS = 5 * 60_000;
/** A service that is away is asked again after so long, while the old ones are valid. */
const RETRY_AFTER_MS = 30_000;

/** Keeps the credentials of a role fresh. One fetch runs at a time, and all who wait share it. */
export class RoleCredentials {
  private known: AwsCredentials | null = null;
  private fetching: Promise<AwsCredentials> | null = null;
  private retryAtMs = 0;

  constructor(
    private readonly source: CredentialSource,
    private readonly nowMs: () => number = () => Date.now(),
  ) {}

  /** Waits for a fetch only where nothing valid is known. @throws an error that names the source */
  async get(): Promise<AwsCredentials> {
    const { known } = this;
    if (!known || this.lifeMsOf(known) <= 0) return this.fetch();
    if (this.lifeMsOf(known) <= REFRESH_BEFORE_MS && this.nowMs() >= this.retryAtMs) {
      // The known ones are used now. A failure counts when they have expired.
      this.fetch().catch(() => undefined);
    }
    return known;
  }

  /** The service has refused them: they were revoked before they expired. */
  forget(): void {
    this.known = null;
  }

  private lifeMsOf({ expiresAtMs = Infinity }: AwsCredentials): number {
    return expiresAtMs - this.nowMs();
  }

  private fetch(): Promise<AwsCredentials> {
    this.fetching ??= this.fetchOnce().finally(() => (this.fetching = null));
    return this.fetching;
  }

  private async fetchOnce(): Promise<AwsCredentials> {
    this.retryAtMs = this.nowMs() + RETRY_AFTER_MS;
    try {
      this.known = await this.source.fetch();
      return this.known;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new Error(
        `${this.source.name} gave no credentials (${reason}): give the role, or set S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY`,
        { cause: error },
      );
    }
  }
}
