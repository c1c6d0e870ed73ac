import { Injectable } from '@nestjs/common';
import { SecretBox } from '../../common/crypto/secret-box.js';
import { Logger } from '../../common/observability/logger.js';
import { personOf } from '../../common/personal-data/person.js';
import type { ErasedPage } from '../../common/personal-data/personal-data-source.js';
import { Transactions, type Tx } from '../../database/transactions.js';
import { JobsService } from '../../queues/jobs.service.js';
import { Handles } from '../../queues/workers/handles.js';
import { deleteFilesJob } from '../files/delete-files.job.js';
import type { Erasure } from './erasure.entity.js';
import { type ErasureProgress, ErasuresRepository } from './erasures.repository.js';
import { PersonalDataSourcesService } from './personal-data-sources.service.js';
import { phoneNumberPlace } from './sealed-number.js';
import { sweepErasuresJob } from './sweep-erasures.job.js';

/** How soon it looks again at a call that is under way. */
const WAIT_MS = 5_000;
/** That have a turn before it is asked again whose turn it is. */
const ACCOUNTS_AT_ONCE = 100;
/** After so long the next account has its turn. */
const TURN_MS = 5_000;
const RETRY_MS = 60_000;
/** A source that finds what it has erased again and again is broken; who waits for a call is not. */
const MAX_PASSES_WITH_FINDS = 50;

/** What a step left: another one at once, one after a while, or none. `not_ours`: another process runs or has ended it. */
type Left = 'more' | 'waiting' | 'nothing' | 'not_ours';

/**
 * Walks through all sources, a page in each transaction, which also writes down how far it is: a process that dies is
 * followed by another at that place. It is over after a pass in which nothing was found and nothing was under way.
 */
@Injectable()
export class ErasureRunnerService {
  constructor(
    private readonly erasures: ErasuresRepository,
    private readonly sources: PersonalDataSourcesService,
    private readonly box: SecretBox,
    private readonly jobs: JobsService,
    private readonly logger: Logger,
    private readonly transactions: Transactions,
  ) {}

  /** Gives each account a turn with one of its erasures. Others follow at once. Safe in many processes at once. */
  @Handles(sweepErasuresJob)
  async runDue(): Promise<void> {
    const ids = await this.erasures.nextOfEach(ACCOUNTS_AT_ONCE);
    let hasRun = false;
    for (const id of ids) hasRun = (await this.tryRun(id)) || hasRun;
    // Processes that run the others look again by themselves.
    if (hasRun) this.jobs.wake(sweepErasuresJob, {});
  }

  /** One that fails is postponed, and delays no other. */
  private async tryRun(id: number): Promise<boolean> {
    try {
      return await this.run(id);
    } catch (err) {
      this.logger.error('erasure stopped by an error; it is tried again', { err, erasureId: id });
      await this.erasures.putOff(id, RETRY_MS);
      return true;
    }
  }

  /** Continues until it is over, has to wait, or its turn ends. @returns false when another process runs or has ended it */
  async run(id: number): Promise<boolean> {
    const endMs = performance.now() + TURN_MS;
    let left = await this.step(id);
    if (left === 'not_ours') return false;
    while (left === 'more' && performance.now() < endMs) left = await this.step(id);
    this.jobs.wake(deleteFilesJob, {});
    return true;
  }

  /** One page of one source. */
  step(id: number): Promise<Left> {
    return this.transactions.run(async (tx) => {
      const erasure = await this.erasures.lockUnderWay(id, tx);
      if (!erasure) return 'not_ours';
      const sources = this.sources.toErase(erasure);
      const at = Math.max(
        0,
        sources.findIndex(({ name }) => name === erasure.source),
      );
      const source = sources[at];
      if (!source) throw new Error('there is no source of personal data');
      const page = await source.erase(this.personOf(erasure), erasure.after, tx);
      const progress = added(erasure, source.name, page);
      if (page.next !== null) return this.saveProgress(id, { ...progress, after: page.next }, tx);
      const next = sources[at + 1];
      if (next) return this.saveProgress(id, { ...progress, source: next.name, after: null }, tx);
      return this.endPass(id, { ...progress, source: null, after: null, passes: progress.passes + 1 }, tx);
    });
  }

  private async saveProgress(id: number, progress: ErasureProgress, tx: Tx): Promise<Left> {
    await this.erasures.save(id, progress, 0, tx);
    return 'more';
  }

  private async endPass(id: number, progress: ErasureProgress, tx: Tx): Promise<Left> {
    const { foundInPass, busyInPass, passes } = progress;
    const isWaiting = busyInPass > 0;
    const isOver = foundInPass === 0 && !isWaiting;
    const waitMs = isWaiting ? WAIT_MS : 0;
    await this.erasures.save(id, { ...progress, foundInPass: 0, busyInPass: 0, isWaiting }, waitMs, tx);
    if (isOver) {
      await this.erasures.finish(id, 'completed', tx);
      return 'nothing';
    }
    if (!isWaiting && passes >= MAX_PASSES_WITH_FINDS) {
      this.logger.error('erasure given up: it finds what it has erased', { erasureId: id, passes });
      await this.erasures.finish(id, 'failed', tx);
      return 'nothing';
    }
    return isWaiting ? 'waiting' : 'more';
  }

  private personOf({ id, userId, sealedPhoneNumber }: Erasure) {
    if (sealedPhoneNumber === null) throw new Error('an erasure under way has no number');
    return personOf(userId, this.box.open(sealedPhoneNumber, phoneNumberPlace(userId, id)));
  }
}

function added(erasure: Erasure, source: string, { erased, busy }: ErasedPage): ErasureProgress {
  const { passes, foundInPass, busyInPass, isWaiting, after } = erasure;
  return {
    source,
    after,
    passes,
    isWaiting,
    foundInPass: foundInPass + erased,
    busyInPass: busyInPass + busy,
    erased: { ...erasure.erased, [source]: (erasure.erased[source] ?? 0) + erased },
  };
}
