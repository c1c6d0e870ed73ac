import type { CallAudio } from '@prosa/audio';
import type {
  AssistantState,
  CallLine,
  CallMedia,
  SecondLegLine,
  ShownTurn,
  TransferCall,
} from '../../../providers/telephony/call/call-line.js';
import type { CallCarrierCapabilities } from '../../../providers/telephony/call/call-capabilities.js';
import type { CallEvent } from '../../../providers/telephony/call/carrier-call.js';
import type { PlaceCall } from '../../../providers/telephony/call/call-placing.js';
import type { RejectReason } from '../../../providers/telephony/call/incoming-calls.js';
import { CallCarrierError } from '../../../providers/telephony/call-carrier-error.js';

/** Room for one second leg on its trunk. */
export interface LegRoom {
  /** @throws CallCarrierError when there is none */
  take(request: PlaceCall): Promise<void>;
  free(): Promise<void>;
}

/**
 * The line of a call, as the process that monitors the call may use it. A process releases a call when it shuts down
 * or another process adopts the call. From then on nothing that it does reaches the line; above all it does not hang
 * up.
 */
export class LeaseGuardedLine implements CallLine {
  readonly media: CallMedia;
  /** The carrier itself speaks on the call, or has connected it with another number: it continues without this process. */
  isRunByCarrier = false;
  /** Hears of the second legs that are placed for this call, by the carrier's ids. */
  onSecondLeg: (callId: string) => void = () => undefined;

  /**
   * @param isHeld whether the call is still this process's
   * @param tap is given the audio of the line whenever it is opened; left out: it is used as it is
   */
  constructor(
    private readonly line: CallLine,
    private readonly isHeld: () => boolean,
    private readonly tap: (audio: CallAudio) => CallAudio = (audio) => audio,
  ) {
    this.media = this.guarded(line.media);
  }

  get capabilities(): CallCarrierCapabilities {
    return this.line.capabilities;
  }

  watch(callId: string, signal?: AbortSignal): AsyncIterableIterator<CallEvent> {
    return this.line.watch(callId, signal);
  }

  /** A process that leaves a call hangs it up, but not after it has released the call, as another may have it. */
  async hangUp(callId: string): Promise<void> {
    if (this.isHeld() || this.line.capabilities.livesInProcess) await this.line.hangUp(callId);
  }

  showTurn(callId: string, turn: ShownTurn): void {
    if (this.isHeld()) this.line.showTurn?.(callId, turn);
  }

  showState(callId: string, state: AssistantState): void {
    if (this.isHeld()) this.line.showState?.(callId, state);
  }

  /** See IncomingCalls; undefined where the carrier does not speak by itself. */
  get announce(): CallLine['announce'] {
    const { announce } = this.line;
    return (
      announce && ((callId, message) => this.leftToCarrier(() => announce.call(this.line, callId, message)))
    );
  }

  /** See IncomingCalls; undefined where two lines are joined in the process. */
  get forward(): CallLine['forward'] {
    const { forward } = this.line;
    return (
      forward && ((callId, request) => this.leftToCarrier(() => forward.call(this.line, callId, request)))
    );
  }

  /** See IncomingCalls. */
  get adopt(): CallLine['adopt'] {
    const { adopt } = this.line;
    return adopt && ((callId) => this.leftToCarrier(() => adopt.call(this.line, callId)));
  }

  reject(callId: string, reason: RejectReason): Promise<void> {
    return this.whileHeld(() => this.line.reject(callId, reason));
  }

  transfer(callId: string, transfer: TransferCall): Promise<void> {
    return this.whileHeld(() => this.line.transfer(callId, transfer));
  }

  sendDigits(callId: string, digits: string): Promise<void> {
    return this.whileHeld(() => this.line.sendDigits(callId, digits));
  }

  accept(callId: string): Promise<void> {
    return this.whileHeld(() => this.line.accept(callId));
  }

  /**
   * A line for second legs of this call: none is placed for a released call.
   *
   * @param room taken by each leg until it is over
   */
  secondLegsOn(line: SecondLegLine, room: LegRoom): SecondLegLine {
    const open = new Set<string>();
    const over = async (callId: string) => {
      if (open.delete(callId)) await room.free();
    };
    return {
      media: line.media,
      place: async (request, signal) => {
        await this.whileHeld(() => room.take(request));
        try {
          if (signal?.aborted) throw new CallCarrierError('unavailable', 'no');
          const placed = await this.whileHeld(() => line.place(request));
          open.add(placed.callId);
          this.onSecondLeg(placed.callId);
          return placed;
        } catch (error) {
          await room.free();
          throw error;
        }
      },
      watch: (callId, signal) => untilOver(line.watch(callId, signal), () => over(callId)),
      hangUp: async (callId) => {
        await line.hangUp(callId);
        await over(callId);
      },
      sendDigits: (callId, digits) => line.sendDigits(callId, digits),
    };
  }

  private guarded(media: CallMedia): CallMedia {
    return 'text' in media
      ? { text: { say: (callId, text) => this.whileHeld(() => media.text.say(callId, text)) } }
      : {
          audio: {
            open: async (callId, signal) =>
              this.tap(await this.whileHeld(() => media.audio.open(callId, signal))),
          },
        };
  }

  private async leftToCarrier(deed: () => Promise<void>): Promise<void> {
    await this.whileHeld(deed);
    this.isRunByCarrier = true;
  }

  private async whileHeld<T>(deed: () => Promise<T>): Promise<T> {
    if (!this.isHeld()) throw new CallCarrierError('unavailable', 'no');
    return deed();
  }
}

/** @param onOver called with the end before the listener receives it */
async function* untilOver(
  events: AsyncIterableIterator<CallEvent>,
  onOver: () => Promise<void>,
): AsyncGenerator<CallEvent> {
  for await (const event of events) {
    if (event.type === 'ended' || (event.type === 'state' && event.call.end)) await onOver();
    yield event;
  }
}
