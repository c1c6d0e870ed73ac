import { Injectable } from '@nestjs/common';
import { jsonWithoutNumber, type Person } from '../../../common/personal-data/person.js';
import type {
  ErasedPage,
  PersonalDataSource,
  RecordPage,
} from '../../../common/personal-data/personal-data-source.js';
import type { Tx } from '../../../database/transactions.js';
import { LeadRefusalsRepository } from '../imports/refusals/lead-refusals.repository.js';
import { LeadPersonalDataRepository } from './lead-personal-data.repository.js';

/** Reports of imports, which may quote a row that was refused, and the refused rows themselves. */
@Injectable()
export class ImportPersonalDataService implements PersonalDataSource {
  readonly name = 'lead_imports';

  constructor(
    private readonly rows: LeadPersonalDataRepository,
    private readonly refusals: LeadRefusalsRepository,
  ) {}

  async read(person: Person): Promise<RecordPage> {
    const found = await this.rows.importsNaming(person);
    const rows = await this.refusals.naming(person);
    return {
      records: [
        ...found.map(({ id }) => ({ kind: 'lead_import_mention', data: { id } })),
        ...rows.map(({ importId, line }) => ({ kind: 'refused_row', data: { import_id: importId, line } })),
      ],
      next: null,
    };
  }

  async erase(person: Person, _after: string | null, tx: Tx): Promise<ErasedPage> {
    const rows = await this.refusals.deleteNaming(person, tx);
    const found = await this.rows.importsNaming(person, tx);
    for (const report of found) {
      await this.rows.replaceReport(person.userId, jsonWithoutNumber(person, report), tx);
    }
    return { erased: found.length + rows, busy: 0, next: null };
  }
}
