import { Injectable } from '@nestjs/common';
import type { FieldIssue } from '../../common/errors/domain-error.js';
import { ValidationFailedError } from '../../common/errors/errors.js';
import type { Tx } from '../../database/transactions.js';
import { text, type TextKey } from '../../i18n/catalogue.js';
import type { TextParams } from '../../i18n/text.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { AssistantsService } from '../assistants/assistants.service.js';
import { PhoneNumbersService } from '../phone-numbers/phone-numbers.service.js';
import { WEEKDAYS } from '../../common/time/weekdays.js';
import type { Campaign } from './campaign.entity.js';
import { CampaignAssistantNotFoundError } from './campaigns.errors.js';
import type { CampaignSettings } from './campaigns.repository.js';
import type { CreateCampaignRequest, UpdateCampaignRequest } from './dto/campaign.request.js';

const DEFAULT_CALLS_IN_PARALLEL = 3;

/** What an account may set, read before a transaction is opened. */
export interface AccountScope {
  readonly userId: number;
  readonly timezone: string;
  /** Those that the database knows, in small letters. */
  readonly knownTimeZones: ReadonlySet<string>;
  readonly maxCallsInParallel: number;
  readonly phoneNumberIds: ReadonlySet<number>;
}

/** The rules of a campaign's settings that need more than the request. */
@Injectable()
export class CampaignRulesService {
  constructor(
    private readonly accounts: AccountsService,
    private readonly assistants: AssistantsService,
    private readonly phoneNumbers: PhoneNumbersService,
  ) {}

  async scopeOf(userId: number): Promise<AccountScope> {
    const [account, knownTimeZones, limits, numbers] = await Promise.all([
      this.accounts.get(userId),
      this.accounts.knownTimeZones(),
      this.accounts.limitsOf(userId),
      this.phoneNumbers.listOwned(userId),
    ]);
    return {
      userId,
      timezone: account.timezone,
      knownTimeZones,
      maxCallsInParallel: limits.maxCallsInParallel,
      phoneNumberIds: new Set(numbers.map(({ id }) => id)),
    };
  }

  /** The settings a new campaign begins with. @throws CampaignAssistantNotFoundError | ValidationFailedError */
  async create(scope: AccountScope, request: CreateCampaignRequest, tx: Tx): Promise<CampaignSettings> {
    const defaults: CampaignSettings = {
      assistantId: request.assistant_id,
      name: request.name,
      timezone: scope.timezone,
      maxCallsInParallel: Math.min(DEFAULT_CALLS_IN_PARALLEL, scope.maxCallsInParallel),
      allowedHoursStartTime: '00:00:00',
      allowedHoursEndTime: '23:59:00',
      allowedDays: [...WEEKDAYS],
      maxRetries: 3,
      retryIntervalMinutes: 60,
      retryOnVoicemail: false,
      retryOnGoalIncomplete: false,
      goalCompletionVariable: null,
      markCompleteWhenNoLeads: true,
    };
    const settings = merge(defaults, request);
    await this.check(scope, request, settings, null, tx);
    return settings;
  }

  /** The settings after an update. @throws CampaignAssistantNotFoundError | ValidationFailedError */
  async update(
    scope: AccountScope,
    current: Campaign,
    request: UpdateCampaignRequest,
    tx: Tx,
  ): Promise<CampaignSettings> {
    const settings = merge(current, request);
    await this.check(scope, request, settings, current, tx);
    return settings;
  }

  /** What stays as it was is not checked again: it was right once, and a client that read it may send it back. */
  private async check(
    scope: AccountScope,
    request: UpdateCampaignRequest,
    settings: CampaignSettings,
    before: CampaignSettings | null,
    tx: Tx,
  ): Promise<void> {
    const issues: FieldIssue[] = [];
    const refuse = (field: keyof UpdateCampaignRequest, key: TextKey, params: TextParams = {}) =>
      issues.push({ field, text: text(key, { field, ...params }) });
    if (
      settings.timezone !== before?.timezone &&
      !scope.knownTimeZones.has(settings.timezone.toLowerCase())
    ) {
      refuse('timezone', 'validation.timezone_unknown');
    }
    if (
      settings.maxCallsInParallel !== before?.maxCallsInParallel &&
      settings.maxCallsInParallel > scope.maxCallsInParallel
    ) {
      refuse('max_calls_in_parallel', 'validation.max', { max: scope.maxCallsInParallel });
    }
    if (settings.allowedHoursStartTime >= settings.allowedHoursEndTime) {
      refuse('allowed_hours_end_time', 'campaigns.hours_order');
    }
    if (request.phone_number_ids?.some((id) => !scope.phoneNumberIds.has(id))) {
      refuse('phone_number_ids', 'validation.exists');
    }
    if (settings.assistantId !== before?.assistantId || isNewGoal(settings, before)) {
      const goals = await this.goalsOf(scope.userId, settings.assistantId, tx);
      if (settings.goalCompletionVariable !== null && !goals.has(settings.goalCompletionVariable)) {
        refuse('goal_completion_variable', 'campaigns.goal_variable');
      }
    }
    ValidationFailedError.throwIfAny(issues);
  }

  /** The variables of the assistant's calls that can be a goal. @throws CampaignAssistantNotFoundError */
  private async goalsOf(userId: number, assistantId: number | null, tx: Tx): Promise<Set<string>> {
    const assistant = assistantId === null ? null : await this.assistants.find(userId, assistantId, tx);
    if (assistant?.type !== 'outbound') throw new CampaignAssistantNotFoundError();
    const booleans = assistant.config.post_call_schema.filter(({ type }) => type === 'bool');
    return new Set(booleans.map(({ name }) => name));
  }
}

function isNewGoal({ goalCompletionVariable: goal }: CampaignSettings, before: CampaignSettings): boolean {
  return goal !== null && goal !== before.goalCompletionVariable;
}

/** What was sent over what there is. */
function merge(settings: CampaignSettings, request: UpdateCampaignRequest): CampaignSettings {
  const time = (hour: string | undefined) => (hour === undefined ? undefined : `${hour.slice(0, 5)}:00`);
  return {
    assistantId: request.assistant_id ?? settings.assistantId,
    name: request.name ?? settings.name,
    timezone: request.timezone ?? settings.timezone,
    maxCallsInParallel: request.max_calls_in_parallel ?? settings.maxCallsInParallel,
    allowedHoursStartTime: time(request.allowed_hours_start_time) ?? settings.allowedHoursStartTime,
    allowedHoursEndTime: time(request.allowed_hours_end_time) ?? settings.allowedHoursEndTime,
    allowedDays: request.allowed_days ?? settings.allowedDays,
    maxRetries: request.max_retries ?? settings.maxRetries,
    retryIntervalMinutes: request.retry_interval ?? settings.retryIntervalMinutes,
    retryOnVoicemail: request.retry_on_voicemail ?? settings.retryOnVoicemail,
    retryOnGoalIncomplete: request.retry_on_goal_incomplete ?? settings.retryOnGoalIncomplete,
    // Null clears it, unlike what was not sent.
    goalCompletionVariable:
      request.goal_completion_variable === undefined
        ? settings.goalCompletionVariable
        : request.goal_completion_variable,
    markCompleteWhenNoLeads: request.mark_complete_when_no_leads ?? settings.markCompleteWhenNoLeads,
  };
}
