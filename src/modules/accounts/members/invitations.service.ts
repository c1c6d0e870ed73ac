import { Injectable } from '@nestjs/common';
import { SecurityConfig, ServerConfig } from '../../../config/config.js';
import { publicOriginOf } from '../../../config/public-origin.js';
import { render, text, type TextKey } from '../../../i18n/catalogue.js';
import { type EmailContent, presentableName } from '../../emails/email-content.js';
import { languageOfCountry } from '../../../common/phone/country-locale.js';
import { EmailsService } from '../../emails/emails.service.js';
import { type Account, AccountsService } from '../accounts.service.js';
import { InvitationsOffError } from './members.errors.js';
import { type CreatedInvitation, type InvitationWish, MembersService } from './members.service.js';

export interface SentInvitation extends CreatedInvitation {
  readonly isEmailed: boolean;
}

/** Invites people: by e-mail where the operator has named a mail server. */
@Injectable()
export class InvitationsService {
  constructor(
    private readonly members: MembersService,
    private readonly accounts: AccountsService,
    private readonly emails: EmailsService,
    private readonly server: ServerConfig,
    private readonly security: SecurityConfig,
  ) {}

  /** @throws InvitationsOffError | EmailTakenError | MemberLimitError */
  async invite(wish: InvitationWish): Promise<SentInvitation> {
    if (!this.security.allowsPasswords) throw new InvitationsOffError();
    const account = await this.accounts.get(wish.userId);
    const { result: emailId, ...created } = await this.members.invite(wish, ({ invitation, token }, tx) => {
      const { userId, email: recipient, expiresAt } = invitation;
      return this.emails.enqueue(
        { userId, recipient, expiresAt, content: this.contentOf(account, token) },
        tx,
      );
    });
    this.emails.wake(emailId);
    return { ...created, isEmailed: emailId !== null };
  }

  private contentOf({ name, defaultCountry }: Account, token: string): EmailContent {
    const account = presentableName(name);
    const language = languageOfCountry(defaultCountry);
    const words = (key: TextKey) => render(text(key, { account: account ?? '' }), language);
    return {
      subject: words(account ? 'emails.invitation_subject' : 'emails.invitation_subject_unnamed'),
      paragraphs: [
        words(account ? 'emails.invitation' : 'emails.invitation_unnamed'),
        words('emails.invitation_use'),
      ],
      action: {
        label: words('emails.invitation_action'),
        url: `${publicOriginOf(this.server)}/app/join#${token}`,
      },
      footer: words('emails.invitation_footer'),
    };
  }
}
