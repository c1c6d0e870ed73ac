import { Injectable } from '@nestjs/common';
import { jsonWithoutNumber, type Person } from '../../../common/personal-data/person.js';
import type {
  ErasedPage,
  PersonalDataSource,
  RecordPage,
} from '../../../common/personal-data/personal-data-source.js';
import type { Tx } from '../../../database/transactions.js';
import { LeadDialsService } from '../lead-dials.service.js';
import { LeadsRepository } from '../leads.repository.js';
import { LeadPersonalDataRepository } from './lead-personal-data.repository.js';

/** A person as a lead: the lead goes, and the variables of others lose the number. */
@Injectable()
export class LeadPersonalDataService implements PersonalDataSource {
  readonly name = 'leads';

  constructor(
    private readonly rows: LeadPersonalDataRepository,
    private readonly leads: LeadsRepository,
    private readonly dials: LeadDialsService,
  ) {}

  async read(person: Person, after: string | null): Promise<RecordPage> {
    const { ids, next } = await this.rows.nextLeads(person.userId, after);
    const found = await this.rows.tracesIn(person, ids);
    const records = found.map(({ id, isOwn, record }) =>
      isOwn ? { kind: 'lead', data: record } : { kind: 'lead_mention', data: { id } },
    );
    return { records, next };
  }

  /** A lead that is being called stays until the call is over: the result of the call is still written to it. */
  async erase(person: Person, after: string | null, tx: Tx): Promise<ErasedPage> {
    const { userId } = person;
    const { ids, next } = await this.rows.nextLeads(userId, after, tx);
    let erased = 0;
    let busy = 0;
    for (const { id, isOwn } of await this.rows.tracesIn(person, ids, tx)) {
      if (!isOwn) await this.removeFromVariables(person, id, tx);
      else if (await this.dials.release(userId, id, tx)) await this.leads.delete(userId, id, tx);
      else busy += 1;
      erased += 1;
    }
    return { erased: erased - busy, busy, next };
  }

  private async removeFromVariables(person: Person, id: number, tx: Tx): Promise<void> {
    const variables = await this.rows.lockVariables(person.userId, id, tx);
    if (!variables) return;
    await this.rows.replaceVariables(person.userId, id, jsonWithoutNumber(person, variables), tx);
  }
}
