import { Injectable } from '@nestjs/common';
import { Logger } from '../../../common/observability/logger.js';
import { EndRequestsService } from '../../active-calls/ends/end-requests.service.js';
import { CampaignsService } from '../../campaigns/campaigns.service.js';
import { ConversationExpiryService } from '../../conversations/personal-data/conversation-expiry.service.js';
import { PhoneNumbersService } from '../../phone-numbers/phone-numbers.service.js';
import type { AccountDeletion } from './account-deletion.entity.js';

/**
 * Longer than a call may last with its evaluation, and time for many tries where an account's own carrier is away. The
 * deletion does not wait longer for calls and answers.
 */
const MAX_WAIT_MS = 3_600_000;

/** Ends what an account does: campaigns, calls, answers and rented numbers. */
@Injectable()
export class AccountShutdownService {
  constructor(
    private readonly campaigns: CampaignsService,
    private readonly phoneNumbers: PhoneNumbersService,
    private readonly calls: EndRequestsService,
    private readonly conversations: ConversationExpiryService,
    private readonly logger: Logger,
  ) {}

  /** Can be repeated. Returns whether everything has ended, so that the rows may go. */
  async shutDown({ id, userId, createdAt }: AccountDeletion): Promise<boolean> {
    await this.campaigns.haltAll(userId);
    const isLate = Date.now() - createdAt.getTime() >= MAX_WAIT_MS;
    let orders = await this.phoneNumbers.deleteAll(userId);
    // Its own carrier may never answer again, and the owner of the account there sees the numbers.
    if (orders > 0 && isLate) orders = await this.phoneNumbers.abandonOwn(userId);
    const calls = await this.calls.hangUpAll(userId);
    const answers = await this.conversations.countAnswering(userId);
    // A number that is not given back would be paid for ever, and its order names the account.
    if (orders > 0) return false;
    if (calls + answers === 0) return true;
    if (!isLate) return false;
    this.logger.error('account deleted with calls or answers that did not end', { deletionId: id });
    return true;
  }
}
