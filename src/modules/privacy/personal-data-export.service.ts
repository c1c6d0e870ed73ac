import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { ConcurrentUse } from '../../common/limits/concurrent-use.js';
import { type Person, personOf } from '../../common/personal-data/person.js';
import { ErasuresService } from './erasures.service.js';
import { PersonalDataSourcesService } from './personal-data-sources.service.js';
import { TooManyExportsError } from './privacy.errors.js';

/** Of one account in one process: each reads all that the account has. */
const MAX_AT_ONCE = 2;

@Injectable()
export class PersonalDataExportService {
  private readonly running = new ConcurrentUse();

  constructor(
    private readonly sources: PersonalDataSourcesService,
    private readonly erasures: ErasuresService,
  ) {}

  /**
   * Everything the account holds about a number, as JSON that is read page by page while it is sent. One that was cut off
   * is no valid JSON, and lacks `complete` at its end.
   *
   * @throws ValidationFailedError | TooManyExportsError
   */
  async begin(userId: number, written: string): Promise<Readable> {
    const person = personOf(userId, await this.erasures.numberOf(userId, written));
    const leave = this.running.tryEnter(new Map([[String(userId), MAX_AT_ONCE]]));
    if (!leave) throw new TooManyExportsError(MAX_AT_ONCE);
    const content = Readable.from(this.jsonOf(person), { objectMode: false });
    return content.once('close', leave);
  }

  private async *jsonOf(person: Person): AsyncGenerator<string> {
    const head = { phone_number: person.phoneNumber, exported_at: new Date().toISOString() };
    yield `${JSON.stringify(head).slice(0, -1)},"records":[`;
    let separator = '\n';
    for (const source of this.sources.all) {
      let after: string | null = null;
      do {
        const { records, next } = await source.read(person, after);
        for (const record of records) {
          yield separator + JSON.stringify(record);
          separator = ',\n';
        }
        after = next;
      } while (after !== null);
    }
    yield '\n],"complete":true}\n';
  }
}
