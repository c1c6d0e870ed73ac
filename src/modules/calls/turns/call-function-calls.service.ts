import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Logger } from '../../../common/observability/logger.js';
import type { CallAction } from '../../../runtime/call/call-engine.js';
import type { Call } from '../call.entity.js';
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
export class CallFunctionCallsService implements OnModuleDestroy {
  private readonly closing = new AbortController();

  constructor(
    private readonly functionCalls: CallFunctionCallsRepository,
    private readonly logger: Logger,
  ) {}

  onModuleDestroy(): void {
    this.closing.abort();
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
        if (tools) await Promise.race([tools, this.patience()]);
        await written;
      },
    };
  }

  /** Resolves some time after the process is told to end. */
  private async patience(): Promise<void> {
    const { signal } = this.closing;
    if (!signal.aborted)
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    await sleep(SHUTDOWN_MS, undefined, { ref: false });
  }
}
