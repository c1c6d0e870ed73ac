import { Injectable } from '@nestjs/common';
import type { Person } from '../../../common/personal-data/person.js';
import type {
  ErasedPage,
  PersonalDataSource,
  RecordPage,
} from '../../../common/personal-data/personal-data-source.js';
import type { Tx } from '../../../database/transactions.js';
import { AnswerTracesRepository } from './answer-traces.repository.js';

/** Answers about a person that are kept for repetitions with an Idempotency-Key. */
@Injectable()
export class AnswerPersonalDataService implements PersonalDataSource {
  readonly name = 'idempotency_keys';

  constructor(private readonly traces: AnswerTracesRepository) {}

  async read(person: Person, after: string | null): Promise<RecordPage> {
    const scope = scopeOf(person);
    const { keys, next } = await this.traces.nextKeys(scope, after);
    const records = await this.traces.records(scope, keys, person);
    return { records: records.map((data) => ({ kind: 'kept_answer', data })), next };
  }

  async erase(person: Person, after: string | null, tx: Tx): Promise<ErasedPage> {
    const scope = scopeOf(person);
    const { keys, next } = await this.traces.nextKeys(scope, after, tx);
    return { erased: await this.traces.empty(scope, keys, person, tx), busy: 0, next };
  }

  /** Forgets every key of an account that is being deleted, and of its conversations. */
  forgetAccount(userId: number, tx: Tx): Promise<void> {
    return this.traces.deleteOfAccount(userId, tx);
  }

  /** Empties the answers about a conversation, of which its messages are erased. */
  async forgetConversation(id: string, tx: Tx): Promise<void> {
    await this.traces.emptyAll(`conversation:${id}`, tx);
  }
}

function scopeOf({ userId }: Person): string {
  return `account:${userId}`;
}
