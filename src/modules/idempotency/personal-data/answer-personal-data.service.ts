import { Injectable } from '@nestjs/common';
import type { Person } from '../../../common/personal-data/person.js';
import type {
  ErasedPage,
  PersonalDataSource,
  RecordPage,
} from '../../../common/personal-data/personal-data-source.js';
import type { Tx } from '../../../database/transactions.js';
import { StoredResponsesService } from '../stored-responses.service.js';
import { type AnswerRow, AnswerPersonalDataRepository } from './answer-personal-data.repository.js';

/** Answers about a person that are kept for repetitions with an Idempotency-Key. */
@Injectable()
export class AnswerPersonalDataService implements PersonalDataSource {
  readonly name = 'idempotency_keys';

  constructor(
    private readonly rows: AnswerPersonalDataRepository,
    private readonly answers: StoredResponsesService,
  ) {}

  async read(person: Person, after: string | null): Promise<RecordPage> {
    const scope = scopeOf(person);
    const { keys, next } = await this.rows.nextKeys(scope, after);
    const found = await this.answersNaming(person, keys);
    return { records: found.map((answer) => ({ kind: 'kept_answer', data: toRecord(answer) })), next };
  }

  async erase(person: Person, after: string | null, tx: Tx): Promise<ErasedPage> {
    const scope = scopeOf(person);
    const { keys, next } = await this.rows.nextKeys(scope, after, tx);
    const found = await this.answersNaming(person, keys, tx);
    const hashes = found.map(({ keyHash }) => keyHash);
    return { erased: await this.rows.empty(scope, hashes, tx), busy: 0, next };
  }

  /** Forgets every key of an account that is being deleted, and of its conversations. */
  forgetAccount(userId: number, tx: Tx): Promise<void> {
    return this.rows.deleteOfAccount(userId, tx);
  }

  /** Empties the answers about a conversation, of which its messages are erased. */
  async forgetConversation(id: string, tx: Tx): Promise<void> {
    await this.rows.emptyAll(`conversation:${id}`, tx);
  }

  private async answersNaming(person: Person, keys: readonly string[], tx?: Tx): Promise<OpenedAnswer[]> {
    const pattern = new RegExp(person.pattern);
    const rows = await this.rows.answersOf(scopeOf(person), keys, tx);
    return rows.flatMap((row) => {
      const body = this.answers.open(row);
      return body !== null && pattern.test(body) ? [{ ...row, body }] : [];
    });
  }
}

interface OpenedAnswer extends AnswerRow {
  readonly body: string;
}

function toRecord({ status, body, createdAt, expiresAt }: OpenedAnswer): Record<string, unknown> {
  return { status, body, created_at: createdAt, expires_at: expiresAt };
}

function scopeOf({ userId }: Person): string {
  return `account:${userId}`;
}
