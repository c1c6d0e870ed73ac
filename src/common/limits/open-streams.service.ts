import { Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { LimitsConfig } from '../../config/config.js';
import { TooManyStreamsError } from '../errors/errors.js';
import { ConcurrentUse } from './concurrent-use.js';
import { addressOf } from './subjects.js';

/** A visitor has a page or two open. */
const STREAMS_PER_CONVERSATION = 5;

/**
 * Bounds the event streams that are open at the same time, for each account and for each address. Streams hold
 * connections of this process, so each process counts for itself.
 */
@Injectable()
export class OpenStreamsService {
  private readonly use = new ConcurrentUse();

  constructor(private readonly config: LimitsConfig) {}

  /**
   * Counts an answer as a stream of an account and of the caller's address, until it closes.
   *
   * @param userId the account that the stream is about, for any reader
   * @throws TooManyStreamsError
   */
  admit(request: Request, response: Response, userId: number): void {
    this.enter(request, response, [[`account ${userId}`, this.config.streamsPerAccount]]);
  }

  /**
   * The same for a visitor who waits for news of a conversation. Counted apart from what the account's own people and
   * answers need, which visitors must not use up.
   *
   * @throws TooManyStreamsError
   */
  admitVisitor(request: Request, response: Response, userId: number, conversationId: string): void {
    this.enter(request, response, [
      [`visitors of ${userId}`, this.config.visitorStreamsPerAccount],
      [`conversation ${conversationId}`, STREAMS_PER_CONVERSATION],
    ]);
  }

  private enter(request: Request, response: Response, limits: readonly [string, number][]): void {
    // A caller that has gone already would never be counted out.
    if (!this.config.enabled || response.destroyed) return;
    const leave = this.use.tryEnter(
      new Map([...limits, [`address ${addressOf(request)}`, this.config.streamsPerAddress]]),
    );
    if (!leave) throw new TooManyStreamsError();
    response.once('close', leave);
  }
}
