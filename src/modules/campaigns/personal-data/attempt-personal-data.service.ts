import { Injectable } from '@nestjs/common';
import type { Person } from '../../../common/personal-data/person.js';
import type {
  ErasedPage,
  PersonalDataSource,
  PersonalRecord,
  RecordPage,
} from '../../../common/personal-data/personal-data-source.js';
import type { Tx } from '../../../database/transactions.js';
import { ATTEMPTS_PAGE, AttemptPersonalDataRepository } from './attempt-personal-data.repository.js';

const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** Attempts at calling a person: they stay, as part of the progress of their campaign, without the number. */
@Injectable()
export class AttemptPersonalDataService implements PersonalDataSource {
  readonly name = 'dial_attempts';

  constructor(private readonly rows: AttemptPersonalDataRepository) {}

  async read(person: Person, after: string | null): Promise<RecordPage> {
    const found = await this.rows.after(person, after ?? FIRST_ID);
    return {
      records: found.map(({ record }) => ({
        kind: 'dial_attempt',
        data: record as PersonalRecord['data'],
      })),
      next: found.length < ATTEMPTS_PAGE ? null : (found.at(-1)?.id ?? null),
    };
  }

  async erase(person: Person, _after: string | null, tx: Tx): Promise<ErasedPage> {
    const { count, isAll } = await this.rows.forgetSettled(person, tx);
    return isAll
      ? { erased: count, busy: await this.rows.countLive(person, tx), next: null }
      : { erased: count, busy: 0, next: FIRST_ID };
  }
}
