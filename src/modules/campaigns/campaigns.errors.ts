import { DomainError, domainError, limitError } from '../../common/errors/domain-error.js';
import { text, type TextKey } from '../../i18n/catalogue.js';
import type { CampaignStatus } from './campaign-status.js';

export class CampaignNotFoundError extends domainError('not-found', 'campaigns.not_found') {}

export class CampaignLimitError extends limitError('forbidden', 'campaigns.limit') {}

/** The assistant is missing, another account's, or cannot make calls. */
export class CampaignAssistantNotFoundError extends domainError(
  'not-found',
  'campaigns.assistant_not_found',
) {}

/** The campaign cannot be started or stopped as it is. */
export class CampaignMoveRefusedError extends DomainError {
  readonly kind = 'refused';

  constructor({ id, status }: { id: number; status: CampaignStatus }, reason: TextKey) {
    super(text(reason), { data: { campaign_id: id, status } });
  }
}
