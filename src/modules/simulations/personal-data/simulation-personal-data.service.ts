import { Injectable } from '@nestjs/common';
import type { Person } from '../../../common/personal-data/person.js';
import type {
  ErasedPage,
  PersonalDataSource,
  RecordPage,
} from '../../../common/personal-data/personal-data-source.js';
import type { Tx } from '../../../database/transactions.js';
import { SimulationPersonalDataRepository } from './simulation-personal-data.repository.js';

/** Simulations that name a number, in their scenario or in what a real tool has answered: they are deleted. */
@Injectable()
export class SimulationPersonalDataService implements PersonalDataSource {
  readonly name = 'simulations';

  constructor(private readonly rows: SimulationPersonalDataRepository) {}

  async read(person: Person, after: string | null): Promise<RecordPage> {
    const { ids, next } = await this.rows.nextSimulations(person.userId, after);
    const found = await this.rows.naming(person, ids);
    return { records: found.map((id) => ({ kind: 'simulation_mention', data: { id } })), next };
  }

  async erase(person: Person, after: string | null, tx: Tx): Promise<ErasedPage> {
    const { ids, next } = await this.rows.nextSimulations(person.userId, after, tx);
    const found = await this.rows.naming(person, ids, tx);
    await this.rows.delete(person.userId, found, tx);
    return { erased: found.length, busy: 0, next };
  }
}
