import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { TokenSum } from '../../../common/figures/token-sum.js';
import { Logger } from '../../../common/observability/logger.js';
import type { CallListener } from '../../../runtime/call/session/call-setup.js';
import type { LineLatenessFigures } from '../../../runtime/call/session/session-facts.js';
import type { CallLease } from '../../active-calls/leases/call-lease.js';
import { CallsService } from '../../calls/calls.service.js';
import type { StoredCall } from '../../calls/call-facts.js';
import {
  CallFunctionCallsService,
  type FunctionCallNotes,
} from '../../calls/turns/call-function-calls.service.js';
import { CallVoicesService } from '../../calls/turns/call-voices.service.js';
import { TurnMetricsService } from './turn-metrics.service.js';

/** A call on which this process talks. */
interface ObservedCall {
  readonly call: StoredCall;
  readonly lease: CallLease;
  readonly carrierCallId: string;
}

/** Writes down what happens on calls while they go on. */
@Injectable()
export class CallObserversService implements OnModuleDestroy {
  constructor(
    private readonly calls: CallsService,
    private readonly turnMetrics: TurnMetricsService,
    private readonly voices: CallVoicesService,
    private readonly functionCalls: CallFunctionCallsService,
    private readonly logger: Logger,
  ) {}

  /** Here and not in `calls`, which is destroyed only after the sessions have ended: these wait for the tools. */
  onModuleDestroy(): void {
    this.functionCalls.limitWaits();
  }

  notesOf(call: StoredCall): FunctionCallNotes {
    return this.functionCalls.of(call);
  }

  soundWasLate(lateness: LineLatenessFigures): void {
    this.turnMetrics.soundWasLate(lateness);
  }

  listenerOf({ call, lease, carrierCallId }: ObservedCall, notes: FunctionCallNotes): CallListener {
    return {
      onTurn: (turn, earlier) => {
        lease.turns.note(turn, earlier);
        lease.line.showTurn(carrierCallId, turn);
        lease.feed.showTurn(turn);
      },
      onAction: (action) => {
        notes.note(action);
        if (action.type === 'function-call') lease.feed.showTool(action.call);
      },
      onFunctionStarted: ({ name, arguments: given }) => lease.feed.showTool({ name, arguments: given }),
      onState: (state) => {
        lease.line.showState(carrierCallId, state);
        lease.feed.showState(state);
      },
      onMetrics: (turn) => this.turnMetrics.took(turn),
      onIgnored: ({ kind, text: transcript }) =>
        this.logger.debug('words that are no turn', { callId: call.id, kind, transcript }),
      onVoice: (heard) => this.voices.heard(call, heard),
      onError: (err) => this.logger.warn('call went on after an error', { callId: call.id, err }),
    };
  }

  /** Counts the tokens of this part of the call. A process that takes the call over counts its own part. */
  async keepTokens(call: StoredCall, tokens: TokenSum): Promise<void> {
    if (tokens.inputTokens === null) return;
    await this.calls
      .addTokens(call, tokens)
      .catch((err: unknown) => this.logger.warn('tokens of a call not counted', { callId: call.id, err }));
  }
}
