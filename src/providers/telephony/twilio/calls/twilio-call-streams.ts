import type { WebSocket } from 'ws';
import type { LineClock } from '../../line-clock.js';
import { type StreamStart, streamMessageOf } from './media-stream-protocol.js';
import type { TwilioCall } from './twilio-call.js';
import type { TwilioCalls } from './twilio-calls.js';
import { TwilioLeg } from './twilio-leg.js';

/** Finds the call of each Media Stream, and makes it the line of that call. */
export class TwilioCallStreams {
  constructor(
    private readonly calls: TwilioCalls,
    /** Is told when the sound of a call has ended. */
    private readonly onGone: (call: TwilioCall) => void,
    private readonly clock: LineClock,
    /** How long a WebSocket may stay open that has not told its call. */
    private readonly startMs: number,
  ) {}

  /** The WebSocket of a stream. Which call it is of, its first messages say and prove; others are closed. */
  connect(socket: WebSocket): void {
    socket.on('error', () => socket.terminate());
    const late = setTimeout(() => socket.close(1008), this.startMs);
    socket.once('close', () => clearTimeout(late));
    const onMessage = (data: Buffer, isBinary: boolean) => {
      const message = isBinary ? null : streamMessageOf(data.toString('utf8'));
      if (message?.event === 'connected') return;
      socket.off('message', onMessage);
      clearTimeout(late);
      if (message?.event !== 'start' || !this.begin(socket, message.streamSid, message.start)) {
        socket.close(1008);
      }
    };
    socket.on('message', onMessage);
  }

  private begin(socket: WebSocket, streamSid: string, start: StreamStart): boolean {
    const call = this.calls.ofToken(start.customParameters['token'] ?? '');
    if (!call || call.end || call.leg?.isClosed || (call.sid ?? start.callSid) !== start.callSid)
      return false;
    // A token is of no use to a second stream.
    this.calls.expectNoStream(call);
    if (call.sid === null) this.calls.identify(call, start.callSid);
    const leg = call.leg ?? this.legOf(call);
    leg.attach(socket, streamSid);
    if (!call.isAnswered) call.answer(leg);
    return true;
  }

  private legOf(call: TwilioCall): TwilioLeg {
    const listener = { onKey: (digit: string) => call.press(digit), onGone: () => this.onGone(call) };
    return new TwilioLeg(listener, this.clock);
  }
}
