import { Injectable } from '@nestjs/common';
import type { Principal } from '../../../common/auth/principal.js';
import { storedTags } from '../../../common/tags/tags.js';
import { Transactions, type Tx } from '../../../database/transactions.js';
import { MembersService } from '../../accounts/members/members.service.js';
import { IdempotentEffectService } from '../../idempotency/idempotent-effect.service.js';
import { CallNotFoundError } from '../calls.errors.js';
import { CallsService } from '../calls.service.js';
import { CallNoteNotFoundError, TooManyCallNotesError } from './call-annotations.errors.js';
import { CallAnnotationsRepository, type NewCallNote } from './call-annotations.repository.js';
import type { CallNote } from './call-note.entity.js';

const MOST_NOTES = 200;

/** Notes and tags that people give to calls. They are in no webhook and in no shared call. */
@Injectable()
export class CallAnnotationsService {
  constructor(
    private readonly annotations: CallAnnotationsRepository,
    private readonly calls: CallsService,
    private readonly members: MembersService,
    private readonly effect: IdempotentEffectService,
    private readonly transactions: Transactions,
  ) {}

  /** Newest first. @throws CallNotFoundError */
  async notes(userId: number, callId: number): Promise<CallNote[]> {
    await this.calls.checkExists(userId, callId);
    return this.annotations.notes(userId, callId);
  }

  /** @throws CallNotFoundError also for a call whose person was erased | TooManyCallNotesError */
  async addNote(caller: Principal, callId: number, text: string): Promise<CallNote> {
    const { userId } = caller;
    const authorName = await this.nameOf(caller);
    return this.transactions.run((tx) =>
      this.effect.once(tx, {
        make: () => this.add({ userId, callId, authorName, text }, tx),
        referenceOf: ({ id }) => String(id),
        recall: (id) => this.getNote(userId, callId, Number(id), tx),
      }),
    );
  }

  /** @throws CallNoteNotFoundError */
  async deleteNote(userId: number, callId: number, id: number): Promise<void> {
    if (!(await this.annotations.deleteNote(userId, callId, id))) throw new CallNoteNotFoundError();
  }

  /**
   * Gives a call these tags and no others.
   *
   * @returns the tags, sorted, without blanks around them
   * @throws CallNotFoundError also for a call whose person was erased
   */
  async setTags(userId: number, callId: number, given: readonly string[]): Promise<string[]> {
    const tags = storedTags(given);
    await this.transactions.run(async (tx) => {
      if (!(await this.annotations.lockCall(userId, callId, tx))) throw new CallNotFoundError();
      await this.annotations.replaceTags(userId, callId, tags, tx);
    });
    return tags;
  }

  private async add(note: NewCallNote, tx: Tx): Promise<CallNote> {
    const { userId, callId } = note;
    if (!(await this.annotations.lockCall(userId, callId, tx))) throw new CallNotFoundError();
    if ((await this.annotations.countNotes(callId, tx)) >= MOST_NOTES)
      throw new TooManyCallNotesError(MOST_NOTES);
    return this.annotations.addNote(note, tx);
  }

  private async getNote(userId: number, callId: number, id: number, tx: Tx): Promise<CallNote> {
    return (await this.annotations.findNote(userId, callId, id, tx)) ?? CallNoteNotFoundError.throw();
  }

  private async nameOf({ userId, memberId }: Principal): Promise<string | null> {
    if (memberId === undefined) return null;
    return (await this.members.namesOf(userId, [memberId])).get(memberId) ?? null;
  }
}
