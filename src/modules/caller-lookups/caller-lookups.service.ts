import { Injectable } from '@nestjs/common';
import { ConcurrentUse } from '../../common/limits/concurrent-use.js';
import { Logger } from '../../common/observability/logger.js';
import { AssistantsService } from '../assistants/assistants.service.js';
import { faulty, type LookupQuestion, type LookupResult } from './lookup.js';
import { LookupClientService } from './lookup-client.service.js';
import { LookupMetricsService } from './lookup-metrics.service.js';

/** Of web calls, conversations and tests of one account in this process. */
export const MAX_RUNNING_LOOKUPS = 10;
/** The same of telephone calls, which ring before their lines bound them. */
export const MAX_RUNNING_CALL_LOOKUPS = 100;

const NOT_SENT: LookupResult = { status: 'ignored', httpStatus: null, ms: 0, error: null, answer: null };

/** Asks the servers of accounts who a caller is, before a call or conversation begins. */
@Injectable()
export class CallerLookupsService {
  private readonly running = new ConcurrentUse();

  constructor(
    private readonly client: LookupClientService,
    private readonly assistants: AssistantsService,
    private readonly metrics: LookupMetricsService,
    private readonly logger: Logger,
  ) {}

  /**
   * Asks once, and never fails because of the server that is asked. Call it outside of transactions: it waits for up to
   * `timeoutMs`. An assistant that the answer names belongs to the account and may answer; it is not activated here.
   */
  async ask(question: LookupQuestion): Promise<LookupResult> {
    const leave = this.enter(question);
    if (!leave) return this.finished(question, NOT_SENT, false);
    try {
      return this.finished(question, await this.checked(question, await this.client.send(question)), true);
    } finally {
      leave();
    }
  }

  /** Null when as many run as may. */
  private enter({ userId, type, isTest = false }: LookupQuestion): (() => void) | null {
    const isCall = type === 'inbound' && !isTest;
    const [subject, limit] = isCall
      ? [`calls of ${userId}`, MAX_RUNNING_CALL_LOOKUPS]
      : [`others of ${userId}`, MAX_RUNNING_LOOKUPS];
    return this.running.tryEnter(new Map([[subject, limit]]));
  }

  /** Drops an answer that names an assistant of another account, or one that its owner has deactivated. */
  private async checked(
    { userId, assistantId }: LookupQuestion,
    result: LookupResult,
  ): Promise<LookupResult> {
    const named = result.answer?.assistantId ?? null;
    if (named === null || named === assistantId) return result;
    const found = await this.assistants.find(userId, named);
    const mayAnswer = found?.closedAt === null && (found.status === 'active' || found.activatesByUse);
    return mayAnswer ? result : { ...result, ...faulty('unknown_assistant') };
  }

  private finished(question: LookupQuestion, result: LookupResult, wasSent: boolean): LookupResult {
    this.metrics.finished(result, wasSent);
    const { userId, assistantId, type, callId, conversationId, isTest = false } = question;
    const { status, httpStatus, ms, error } = result;
    const fields = {
      userId,
      assistantId,
      type,
      callId,
      conversationId,
      isTest,
      status,
      httpStatus,
      ms,
      error,
    };
    if (status === 'ok') this.logger.debug('caller looked up', fields);
    else this.logger.warn('caller not looked up', fields);
    return result;
  }
}
