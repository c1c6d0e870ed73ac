import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../common/errors/domain-error.js';
import { STATUS_OF } from '../../../common/errors/error-statuses.js';
import type { Tx } from '../../../database/transactions.js';
import { AuditLogRepository } from '../audit-log.repository.js';

const DONE = 200;
const FAILED = 500;

/** A command of the operator that changes something. */
export interface OperatorChange {
  /** Null when it concerns no single account. */
  readonly userId: number | null;
  /** The command, such as `account.set`. */
  readonly action: string;
  readonly resourceId?: string | null;
}

/** Records commands that the operator runs on this installation. */
@Injectable()
export class OperatorLogService {
  constructor(private readonly entries: AuditLogRepository) {}

  /** In the transaction that makes the change. */
  record(change: OperatorChange, tx: Tx): Promise<void> {
    return this.entries.addDone({ ...change, via: 'operator' }, tx);
  }

  /** Runs a change of several transactions. Its entry is written before it begins, and its outcome afterwards. */
  async run<Result>(
    { userId, action, resourceId = null }: OperatorChange,
    change: () => Promise<Result>,
  ): Promise<Result> {
    const id = randomUUID();
    const operator = { via: 'operator', tokenId: null, memberId: null, network: null } as const;
    await this.entries.addAll([{ id, userId, action, ...operator }]);
    let result: Result;
    try {
      result = await change();
    } catch (error) {
      const status = error instanceof DomainError ? STATUS_OF[error.kind] : FAILED;
      // Where the database is away, the outcome stays unknown, and the error of the command is the one to report.
      await Promise.allSettled([this.entries.settle([{ id, status, resourceId: null }])]);
      throw error;
    }
    await this.entries.settle([{ id, status: DONE, resourceId }]);
    return result;
  }
}
