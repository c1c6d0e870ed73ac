import { Injectable } from '@nestjs/common';
import type { Principal } from '../../../common/auth/principal.js';
import { SecurityConfig, ServerConfig } from '../../../config/config.js';
import { publicOriginOf } from '../../../config/public-origin.js';
import type { Tx } from '../../../database/transactions.js';
import { render, text, type TextKey } from '../../../i18n/catalogue.js';
import { AccountsService } from '../../accounts/accounts.service.js';
import { MembersService } from '../../accounts/members/members.service.js';
import type { EmailContent } from '../../emails/email-content.js';
import { languageOfCountry } from '../../../common/phone/country-locale.js';
import { EmailsService } from '../../emails/emails.service.js';
import { OwnPasswordLinkError, PasswordSignInOffError } from '../auth.errors.js';
import type { SessionHolder } from '../sessions/sessions.repository.js';
import { type MadePasswordLink, PasswordLinksService } from './password-links.service.js';

export interface SentPasswordLink extends MadePasswordLink {
  readonly isEmailed: boolean;
}

type Origin = 'owner' | 'request';

const TEXTS: Readonly<Record<Origin, readonly TextKey[]>> = {
  owner: ['emails.password_from_owner', 'emails.password_use_day'],
  request: ['emails.password_requested_for', 'emails.password_use_hour'],
};

/** Password links, by e-mail where the operator has named a mail server. */
@Injectable()
export class PasswordEmailsService {
  constructor(
    private readonly links: PasswordLinksService,
    private readonly accounts: AccountsService,
    private readonly members: MembersService,
    private readonly emails: EmailsService,
    private readonly server: ServerConfig,
    private readonly security: SecurityConfig,
  ) {}

  /**
   * Makes a link for a member of the caller's account.
   *
   * @throws OwnPasswordLinkError for the caller, whose session would be as good as the password
   * @throws PasswordSignInOffError | MemberNotFoundError | TooManyRequestsError
   */
  async makeForMember(
    { userId, memberId: callerId }: Principal,
    memberId: number,
  ): Promise<SentPasswordLink> {
    if (!this.security.allowsPasswords) throw new PasswordSignInOffError();
    if (callerId === memberId) throw new OwnPasswordLinkError();
    const { email } = await this.members.get(userId, memberId);
    const content = await this.contentFor(userId, 'owner');
    const { result: emailId, ...link } = await this.links.make({ userId, memberId }, (made, tx) =>
      this.enqueue({ userId, memberId }, email, content(made.token), made, tx),
    );
    this.emails.wake(emailId);
    return { ...link, isEmailed: emailId !== null };
  }

  /**
   * Sends a link to a person who has asked for it. Nothing happens for an e-mail without a password here, and for a
   * person with too many links today.
   *
   * @param withIt done in the same transaction; false means that another worker sends the link
   */
  async sendRequested(email: string, withIt: (tx: Tx) => Promise<boolean>): Promise<void> {
    const person = await this.findPerson(email);
    if (!person) return;
    const content = await this.contentFor(person.userId, 'request');
    const made = await this.links.makeRequested(person, async (link, tx) =>
      (await withIt(tx)) ? this.enqueue(person, email, content(link.token), link, tx) : null,
    );
    this.emails.wake(made?.result ?? null);
  }

  private async findPerson(email: string): Promise<SessionHolder | null> {
    const account = await this.accounts.findWithPassword(email);
    if (account) return account.passwordHash === null ? null : { userId: account.id, memberId: null };
    const member = await this.members.findByEmail(email);
    if (!member || !this.members.hasPassword(member)) return null;
    return { userId: member.userId, memberId: member.id };
  }

  private enqueue(
    { userId }: SessionHolder,
    recipient: string,
    content: EmailContent,
    { expiresAt }: MadePasswordLink,
    tx: Tx,
  ): Promise<string | null> {
    return this.emails.enqueue({ userId, recipient, content, expiresAt, isToOwnPerson: true }, tx);
  }

  private async contentFor(userId: number, origin: Origin): Promise<(token: string) => EmailContent> {
    const language = languageOfCountry((await this.accounts.get(userId)).defaultCountry);
    const words = (key: TextKey) => render(text(key), language);
    return (token) => ({
      subject: words('emails.password_subject'),
      paragraphs: TEXTS[origin].map(words),
      action: {
        label: words('emails.password_action'),
        url: `${publicOriginOf(this.server)}/app/password#${token}`,
      },
      footer: words('emails.password_footer'),
    });
  }
}
