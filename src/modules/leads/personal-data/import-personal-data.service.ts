import { Injectable } from '@nestjs/common';
import { jsonWithoutNumber, type Person } from '../../../common/personal-data/person.js';
import type {
  ErasedPage,
  PersonalDataSource,
  RecordPage,
} from '../../../common/personal-data/personal-data-source.js';
import type { Tx } from '../../../database/transactions.js';
import { LeadTracesRepository } from './lead-traces.repository.js';

/** Reports of imports, which may quote a row that was refused. */
@Injectable()
export class ImportPersonalDataService implements PersonalDataSource {
  readonly name = 'lead_imports';

  constructor(private readonly traces: LeadTracesRepository) {}

  async read(person: Person): Promise<RecordPage> {
    const found = await this.traces.importsNaming(person);
    return { records: found.map(({ id }) => ({ kind: 'lead_import_mention', data: { id } })), next: null };
  }

  async erase(person: Person, _after: string | null, tx: Tx): Promise<ErasedPage> {
    const found = await this.traces.importsNaming(person, tx);
    for (const report of found) {
      await this.traces.replaceReport(person.userId, jsonWithoutNumber(person, report), tx);
    }
    return { erased: found.length, busy: 0, next: null };
  }
}
