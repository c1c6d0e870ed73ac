import { Injectable } from '@nestjs/common';
import { jsonWithoutNumber, type Person } from '../../../common/personal-data/person.js';
import type {
  ErasedPage,
  PersonalDataSource,
  PersonalRecord,
  RecordPage,
} from '../../../common/personal-data/personal-data-source.js';
import { currentForm } from '../../../common/phone/e164.js';
import type { Tx } from '../../../database/transactions.js';
import type { DoNotCallEntry } from '../do-not-call-entry.entity.js';
import { DoNotCallRepository } from '../do-not-call.repository.js';

/** That a person is not to be called. */
@Injectable()
export class EntryPersonalDataService implements PersonalDataSource {
  readonly name = 'do_not_call_entries';

  constructor(private readonly entries: DoNotCallRepository) {}

  async read(person: Person): Promise<RecordPage> {
    const records = await this.entries.namingPerson(person);
    return { records: records.map(recordOf), next: null };
  }

  async erase(person: Person, _after: string | null, tx: Tx): Promise<ErasedPage> {
    const found = await this.entries.namingPerson(person, tx);
    for (const { id, phoneNumber, reason } of found) {
      if (currentForm(phoneNumber) === currentForm(person.phoneNumber))
        await this.entries.delete(person.userId, id, tx);
      else await this.entries.setReason(person.userId, id, jsonWithoutNumber(person, reason), tx);
    }
    return { erased: found.length, busy: 0, next: null };
  }
}

function recordOf({ id, phoneNumber, reason, createdAt }: DoNotCallEntry): PersonalRecord {
  return {
    kind: 'do_not_call_entry',
    data: { id, phone_number: phoneNumber, reason, created_at: createdAt.toISOString() },
  };
}
