import { Injectable } from '@nestjs/common';
import { Transactions, type Tx } from '../../../database/transactions.js';
import type { ChangeReason } from '../../audit/change-reason.js';
import { AuditLogService } from '../../audit/audit-log.service.js';
import { AssistantsService, type RuntimeAssistant } from '../assistants.service.js';
import { AssistantActivationRepository, type CallableAssistant } from './assistant-activation.repository.js';

export type { CallableAssistant } from './assistant-activation.repository.js';

/** Makes assistants active by their first use, unless their owner has decided otherwise. */
@Injectable()
export class AssistantActivationService {
  constructor(
    private readonly activations: AssistantActivationRepository,
    private readonly assistants: AssistantsService,
    private readonly audit: AuditLogService,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Uses an assistant. One that was never active becomes active, once, and the audit log says why.
   *
   * @returns whether it is active: false for one that its owner has deactivated, or that is gone
   */
  async use(userId: number, id: number, reason: ChangeReason, tx?: Tx): Promise<boolean> {
    return tx
      ? this.activate(userId, id, reason, tx)
      : this.transactions.run((own) => this.activate(userId, id, reason, own));
  }

  /** The inactive inbound assistant of a number that a call may make active; null when there is none. */
  async findUndecided(phoneNumberId: number): Promise<RuntimeAssistant | null> {
    const found = await this.activations.findUndecided(phoneNumberId);
    return found && this.assistants.findRuntime(found.userId, found.id);
  }

  /** An assistant that is active, or that a call may make active; null for one that its owner has deactivated. */
  async findUsable(userId: number, id: number): Promise<RuntimeAssistant | null> {
    const [usable] = await this.activations.findCallable(userId, [id], []);
    return usable ? this.assistants.findRuntime(userId, id) : null;
  }

  /** Those of the account's assistants that a call can use: with one of these ids, or the inbound one of these numbers. */
  findCallable(
    userId: number,
    ids: readonly number[],
    phoneNumberIds: readonly number[],
  ): Promise<CallableAssistant[]> {
    return this.activations.findCallable(userId, ids, phoneNumberIds);
  }

  private async activate(userId: number, id: number, reason: ChangeReason, tx: Tx): Promise<boolean> {
    if (!(await this.activations.activate(userId, id, tx))) {
      return this.activations.isActive(userId, id, tx);
    }
    await this.audit.record({ userId, action: 'activateAssistant', resourceId: String(id), reason }, tx);
    return true;
  }
}
