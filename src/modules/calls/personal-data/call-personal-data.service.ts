import { Injectable } from '@nestjs/common';
import { jsonWithoutNumber, type Person, withoutNumber } from '../../../common/personal-data/person.js';
import type {
  ErasedPage,
  PersonalDataSource,
  RecordPage,
} from '../../../common/personal-data/personal-data-source.js';
import { Transactions, type Tx } from '../../../database/transactions.js';
import { FileCleanupsService } from '../../files/file-cleanups.service.js';
import { RecordingLinksService, WEBHOOK_LIFE_MS } from '../recordings/recording-links.service.js';
import { type CallPersonalData, CallPersonalDataRepository } from './call-personal-data.repository.js';

const BATCH = 500;

/**
 * Calls with a person. They stay, with their costs and times, because the ledger and the counts of each day refer to
 * them. Identity and words of the person are removed.
 */
@Injectable()
export class CallPersonalDataService implements PersonalDataSource {
  readonly name = 'calls';

  constructor(
    private readonly rows: CallPersonalDataRepository,
    private readonly links: RecordingLinksService,
    private readonly cleanups: FileCleanupsService,
    private readonly transactions: Transactions,
  ) {}

  async read(person: Person, after: string | null): Promise<RecordPage> {
    const { ids, next } = await this.rows.nextCalls(person.userId, after);
    const found = await this.rows.tracesIn(person, ids);
    const own = found.filter(({ isOwn }) => isOwn).map(({ id }) => id);
    const calls = await this.rows.records(person.userId, own);
    const mentions = found.filter(({ isOwn }) => !isOwn);
    return {
      records: [
        ...calls.map((call) => ({ kind: 'call', data: this.withLink(call) })),
        ...mentions.map(({ id }) => ({ kind: 'call_mention', data: { id } })),
      ],
      next,
    };
  }

  async erase(person: Person, after: string | null, tx: Tx): Promise<ErasedPage> {
    const { ids, next } = await this.rows.nextCalls(person.userId, after, tx);
    const found = await this.rows.tracesIn(person, ids, tx);
    const free = found.filter(({ isBusy }) => !isBusy);
    for (const { id, isOwn } of free) {
      if (isOwn) await this.empty(person.userId, id, tx);
      else await this.removeNumber(person, id, tx);
    }
    return { erased: free.length, busy: found.length - free.length, next };
  }

  /** Empties calls of an account that are older than that, as an erasure does. Safe in many processes at once. */
  async emptyOld(userId: number, ageMs: number): Promise<void> {
    const emptyBatch = () =>
      this.transactions.run(async (tx) => {
        const { count, recordings } = await this.rows.emptyOld(userId, ageMs, BATCH, tx);
        await this.cleanups.discard(recordings, tx);
        return count;
      });
    while ((await emptyBatch()) === BATCH);
  }

  private async empty(userId: number, id: number, tx: Tx): Promise<void> {
    const recording = await this.rows.empty(userId, id, tx);
    if (recording !== null) await this.cleanups.discard([recording], tx);
  }

  private async removeNumber(person: Person, id: number, tx: Tx): Promise<void> {
    const texts = await this.rows.lockTexts(person.userId, id, tx);
    if (!texts) return;
    await this.rows.replaceTexts(person.userId, id, jsonWithoutNumber(person, texts), tx);
    await this.rows.deleteAnnotationsNaming(person, id, tx);
    for (const turn of await this.rows.turnsNaming(person, id, tx)) {
      const text = withoutNumber(person, turn.text);
      await this.rows.replaceTurn(person.userId, id, { ...turn, text }, tx);
    }
  }

  private withLink({ is_recorded: isRecorded, ...call }: CallPersonalData): Record<string, unknown> {
    return { ...call, recording_url: isRecorded ? this.links.linkTo(call.id, WEBHOOK_LIFE_MS) : null };
  }
}
