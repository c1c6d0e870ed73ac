import { Injectable } from '@nestjs/common';
import { ValidationFailedError } from '../../common/errors/errors.js';
import { Transactions, type Tx } from '../../database/transactions.js';
import { AccountsService } from '../accounts/accounts.service.js';
import { IdempotentEffectService } from '../idempotency/idempotent-effect.service.js';
import type { CreateSavedReplyRequest, UpdateSavedReplyRequest } from './dto/saved-reply.request.js';
import type { SavedReply } from './saved-reply.entity.js';
import { SavedReplyLimitError, SavedReplyNotFoundError } from './saved-replies.errors.js';
import { SavedRepliesRepository } from './saved-replies.repository.js';
import { savedRepliesTexts } from './saved-replies.texts.js';

/** The list is answered whole. */
const MAX_SAVED_REPLIES = 200;

@Injectable()
export class SavedRepliesService {
  constructor(
    private readonly savedReplies: SavedRepliesRepository,
    private readonly accounts: AccountsService,
    private readonly effect: IdempotentEffectService,
    private readonly transactions: Transactions,
  ) {}

  list(userId: number): Promise<SavedReply[]> {
    return this.savedReplies.list(userId);
  }

  /** @throws SavedReplyLimitError | ValidationFailedError when the account has one of this shortcut */
  create(userId: number, request: CreateSavedReplyRequest): Promise<SavedReply> {
    return this.transactions.run((tx) =>
      this.effect.once(tx, {
        make: () => this.add(userId, request, tx),
        referenceOf: ({ id }) => String(id),
        recall: (id) => this.get(userId, Number(id), tx),
      }),
    );
  }

  /** Changes the fields that were sent. @throws SavedReplyNotFoundError | ValidationFailedError */
  update(userId: number, id: number, { shortcut, text }: UpdateSavedReplyRequest): Promise<SavedReply> {
    return this.transactions.run(async (tx) => {
      const found = (await this.savedReplies.findLocked(userId, id, tx)) ?? SavedReplyNotFoundError.throw();
      if (shortcut !== undefined) found.shortcut = shortcut;
      if (text !== undefined) found.text = text.trim();
      return unlessTaken(await this.savedReplies.save(found, tx));
    });
  }

  /** @throws SavedReplyNotFoundError */
  async delete(userId: number, id: number): Promise<void> {
    if (!(await this.savedReplies.delete(userId, id))) throw new SavedReplyNotFoundError();
  }

  private async get(userId: number, id: number, tx: Tx): Promise<SavedReply> {
    return (await this.savedReplies.find(userId, id, tx)) ?? SavedReplyNotFoundError.throw();
  }

  private async add(
    userId: number,
    { shortcut, text }: CreateSavedReplyRequest,
    tx: Tx,
  ): Promise<SavedReply> {
    await this.accounts.lockLimits(userId, tx);
    if ((await this.savedReplies.countOf(userId, tx)) >= MAX_SAVED_REPLIES)
      throw new SavedReplyLimitError(MAX_SAVED_REPLIES);
    const reply = { userId, shortcut, text: text.trim() };
    return unlessTaken(await this.savedReplies.save(reply, tx));
  }
}

function unlessTaken(saved: SavedReply | null): SavedReply {
  if (!saved) throw ValidationFailedError.of('shortcut', savedRepliesTexts('saved_replies.shortcut_taken'));
  return saved;
}
