import type { EgressClient } from '../../../common/egress/egress-client.js';
import { TwilioApi, type TwilioCredentials, type TwilioServers, TWILIO_SERVERS } from './twilio-api.js';
import { TwilioError } from './twilio-error.js';

/** Id of the row of `carrier_accounts` whose credentials are used; null for the installation's own account. */
export type CarrierAccountId = string | null;

export interface OwnTwilioAccount extends TwilioCredentials {
  /** Those that callbacks may be signed with: the current one, and for a while the one before. */
  readonly signingTokens: readonly string[];
}

/** Where the credentials are kept that accounts have brought. */
export interface OwnTwilioAccounts {
  /** Null for one that is not there (any more). */
  findTwilio(id: string): Promise<OwnTwilioAccount | null>;
}

/**
 * The accounts at Twilio that calls and numbers go through: the installation's, and those that accounts have brought.
 * Credentials are read for each request: a look-up by key costs little compared to a request to Twilio. A token that
 * another process has replaced is thus never used, and no signature made with it is accepted.
 */
export class TwilioAccounts {
  private own: OwnTwilioAccounts | null = null;

  constructor(
    private readonly egress: EgressClient,
    private readonly installation: TwilioCredentials | null,
    private readonly servers: TwilioServers = TWILIO_SERVERS,
  ) {}

  /** To be called before the first request. */
  readOwnFrom(own: OwnTwilioAccounts): void {
    this.own = own;
  }

  /**
   * The API, as one account may ask it.
   *
   * @throws TwilioError `unauthorized` where there are no credentials
   */
  async apiOf(account: CarrierAccountId): Promise<TwilioApi> {
    const credentials = account === null ? this.installation : await this.find(account);
    if (!credentials) throw new TwilioError('unauthorized');
    return new TwilioApi(this.egress, credentials, this.servers);
  }

  /** The tokens of which one has signed what Twilio sends for the account; none where there is no such account. */
  async signingTokensOf(account: CarrierAccountId): Promise<readonly string[]> {
    if (account === null) return this.installation ? [this.installation.authToken] : [];
    return (await this.find(account))?.signingTokens ?? [];
  }

  private async find(account: string): Promise<OwnTwilioAccount | null> {
    return (await this.own?.findTwilio(account)) ?? null;
  }
}
