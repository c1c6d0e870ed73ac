import { Injectable } from '@nestjs/common';
import { Logger } from '../../../common/observability/logger.js';
import type { CallAction } from '../../../runtime/call/session/call-setup.js';
import type { Call } from '../call.entity.js';
import type { CallFunctionCall } from './call-function-call.js';
import { CallFunctionCallsRepository } from './call-function-calls.repository.js';

/** How long the end of the process waits for tools. */
const SHUTDOWN_MS = 10_000;

/** What the tools of one call answer, on its way to the record. */
export interface FunctionCallNotes {
  note(action: CallAction): void;
  /**
   * Waits for tools that still run after the end of the call, and for all answers to be on record. Never fails.
   *
   * @param tools resolves when they have answered
   */
  whenDone(tools: Promise<void> | undefined): Promise<void>;
}

/** Keeps what tools have answered on the record of their call. */
@Injectable()
export class CallFunctionCallsService {
  /** Ends the waits for tools. */
  private readonly waits = new Set<() => void>();
  private isOver = false;

  constructor(
    private readonly functionCalls: CallFunctionCallsRepository,
    private readonly logger: Logger,
  ) {}

  /** To be called at shutdown: from then on tools are waited for only so long. */
  limitWaits(): void {
    setTimeout(() => {
      this.isOver = true;
      for (const end of this.waits) end();
    }, SHUTDOWN_MS).unref();
  }

  of({ id: callId, userId }: Pick<Call, 'id' | 'userId'>): FunctionCallNotes {
    let written = Promise.resolve();
    return {
      note: (action) => {
        if (action.type !== 'function-call') return;
        const called = { ...action.call, at_ms: Math.round(action.atMs) };
        written = written
          .then(() => this.functionCalls.add(userId, callId, called))
          .catch((err: unknown) => this.logger.warn('answer of a tool not on record', { callId, err }));
      },
      whenDone: async (tools) => {
        if (tools) await this.untilShutdown(tools);
        await written;
      },
    };
  }

  /** The answers of one call, in their order. */
  list(userId: number, callId: number): Promise<readonly CallFunctionCall[]> {
    return this.functionCalls.list(userId, callId);
  }

  private untilShutdown(tools: Promise<void>): Promise<void> {
    if (this.isOver) return Promise.resolve();
    return new Promise((resolve) => {
      const end = () => {
        this.waits.delete(end);
        resolve();
      };
      this.waits.add(end);
      // A tool that fails has answered as well.
      void tools.then(end, end);
    });
  }
}
