import type { WebSocket } from 'ws';
import type { LineClock } from '../../line-clock.js';
import { type StartedStream, streamMessageOf } from './media-stream-protocol.js';
import type { CarrierAccountId } from '../twilio-accounts.js';
import type { TwilioCall } from './twilio-call.js';
import type { TwilioCalls } from './twilio-calls.js';
import { TwilioLeg } from './twilio-leg.js';

/** Finds the call of each Media Stream, and makes it the line of that call. */
export class TwilioCallStreams {
  constructor(
    private readonly calls: TwilioCalls,
    /** Called when the audio of a call has ended. */
    private readonly onGone: (call: TwilioCall) => void,
    private readonly clock: LineClock,
    /** How long a WebSocket may stay open before it names its call. */
    private readonly startMs: number,
  ) {}

  /** The WebSocket of a stream. Which call it is of, its first messages say and prove; others are closed. */
  connect(socket: WebSocket, account: CarrierAccountId): void {
    socket.on('error', () => socket.terminate());
    const late = setTimeout(() => socket.close(1008), this.startMs);
    socket.once('close', () => clearTimeout(late));
    const onMessage = (data: Buffer, isBinary: boolean) => {
      const message = isBinary ? null : streamMessageOf(data.toString('utf8'));
      if (message?.event === 'connected') return;
      socket.off('message', onMessage);
      clearTimeout(late);
      if (message?.event !== 'start' || !this.begin(socket, account, message)) {
        socket.close(1008);
      }
    };
    socket.on('message', onMessage);
  }

  private begin(socket: WebSocket, account: CarrierAccountId, { streamSid, start }: StartedStream): boolean {
    const call = this.calls.ofToken(start.customParameters['token'] ?? '');
    if (!call || call.facts.account !== account) return false;
    if (call.record.end || call.leg?.isClosed || (call.sid ?? start.callSid) !== start.callSid) return false;
    if (call.sid === null && !this.calls.identify(call, start.callSid)) return false;
    // A token is of no use to a second stream.
    this.calls.expectNoStream(call);
    const leg = call.leg ?? this.legOf(call);
    leg.attach(socket, streamSid);
    if (!call.record.isAnswered) call.answer(leg);
    return true;
  }

  private legOf(call: TwilioCall): TwilioLeg {
    const onKey = (digits: string) => call.record.emit({ type: 'digits', digits });
    return new TwilioLeg({ onKey, onGone: () => this.onGone(call) }, this.clock);
  }
}
