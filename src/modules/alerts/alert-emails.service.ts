import { Injectable } from '@nestjs/common';
import { DateTime } from 'luxon';
import { ServerConfig } from '../../config/config.js';
import { publicOriginOf } from '../../config/public-origin.js';
import type { Tx } from '../../database/transactions.js';
import { isTextKey, render, text, type TextKey } from '../../i18n/catalogue.js';
import type { TextParams } from '../../i18n/text.js';
import { type Account, AccountsService } from '../accounts/accounts.service.js';
import { MembersService } from '../accounts/members/members.service.js';
import { type EmailContent, presentableName } from '../emails/email-content.js';
import { languageOfCountry } from '../../common/phone/country-locale.js';
import { EmailsService } from '../emails/emails.service.js';
import type { Alert } from './alert.entity.js';
import type { ReachedLimit } from './limit-reached-payload.js';

/** An older alert is no news any more. */
const LIFE_MS = 86_400_000;

/** Sends alerts to the owners of an account, where the operator has named a mail server. */
@Injectable()
export class AlertEmailsService {
  constructor(
    private readonly accounts: AccountsService,
    private readonly members: MembersService,
    private readonly emails: EmailsService,
    private readonly server: ServerConfig,
  ) {}

  /** Queues the e-mails of an alert. After the commit, pass the ids to {@link wake}. */
  async enqueue(
    { resetsAt }: Pick<Alert, 'resetsAt'>,
    reached: ReachedLimit,
    tx: Tx,
  ): Promise<readonly string[]> {
    if (!this.emails.isConfigured) return [];
    const { userId } = reached;
    // On the connection of the transaction: one that waits for a second one can exhaust the pool.
    const account = await this.accounts.get(userId, tx);
    const members = await this.members.list(userId, tx);
    const owners = members.filter(({ role }) => role === 'owner').map(({ email }) => email);
    const content = this.contentOf(account, reached, resetsAt);
    const expiresAt = new Date(Date.now() + LIFE_MS);
    const ids: string[] = [];
    for (const recipient of [account.email, ...owners]) {
      const email = { userId, recipient, content, expiresAt, isToOwnPerson: true };
      const id = await this.emails.enqueue(email, tx);
      if (id !== null) ids.push(id);
    }
    return ids;
  }

  wake(ids: readonly string[]): void {
    for (const id of ids) this.emails.wake(id);
  }

  private contentOf(account: Account, reached: ReachedLimit, resetsAt: Date): EmailContent {
    const language = languageOfCountry(account.defaultCountry);
    const words = (key: TextKey, params?: TextParams) => render(text(key, params), language);
    const { limit, assistant, isOfAccount } = reached;
    const limitKey = `emails.limit_${limit}`;
    const time = DateTime.fromJSDate(resetsAt, { zone: account.timezone }).setLocale(language);
    const params = {
      limit: isTextKey(limitKey) ? words(limitKey) : limit,
      assistant: presentableName(assistant.name) ?? String(assistant.id),
      time: time.toLocaleString(DateTime.DATETIME_SHORT),
    };
    return {
      subject: words('emails.alert_subject'),
      paragraphs: [
        words(isOfAccount ? 'emails.alert_account' : 'emails.alert_assistant', params),
        words('emails.alert_resets', params),
      ],
      action: { label: words('emails.alert_action'), url: `${publicOriginOf(this.server)}/app` },
      footer: words('emails.alert_footer'),
    };
  }
}
