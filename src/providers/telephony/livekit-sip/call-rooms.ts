import { setTimeout as sleep } from 'node:timers/promises';
import type { LiveKitConfig } from '../../../config/config.js';
import type { CarrierCall } from '../call/carrier-call.js';
import { CallCarrierError } from '../call-carrier-error.js';
import { accessToken } from '../livekit/access-token.js';
import { LiveKitApiError } from '../livekit/livekit-api.js';
import type { LiveKitRooms } from '../livekit/livekit-rooms.js';
import { CALLEE, type CalleeRoom, type CalleeRoomListener, type JoinCalleeRoom } from './callee-room.js';

const ASSISTANT = 'assistant';
const TOKEN_LIFE_MS = 60_000;
/** A room is over this many seconds after it opened without participants, or after the last one left. */
const EMPTY_SECONDS = 60;
const DEPARTED_SECONDS = 5;
const RETRY_MS = 2_000;
const MAX_TRIES = 5;
const CLOSE_MS = 5_000;

/** The rooms that calls are in. A room has the name of its call, which is derived from its key. */
export class CallRooms {
  private readonly ending = new Set<Promise<void>>();

  constructor(
    private readonly server: LiveKitConfig,
    private readonly prefix: string,
    private readonly rooms: LiveKitRooms,
    private readonly enter: JoinCalleeRoom,
    private readonly onTrouble: (error: unknown) => void,
  ) {}

  nameOf(key: string): string {
    return `${this.prefix}${key}`;
  }

  isName(room: string): boolean {
    return room.startsWith(this.prefix);
  }

  /** Opens the room, with the assistant in it. Rejects when the server cannot be reached, or refuses. */
  join(room: string, listener: CalleeRoomListener): Promise<CalleeRoom> {
    const token = accessToken(this.server, {
      video: {
        roomJoin: true,
        room,
        canPublish: true,
        canPublishSources: ['microphone'],
        canPublishData: true,
        canSubscribe: true,
      },
      identity: ASSISTANT,
      expiresAt: new Date(Date.now() + TOKEN_LIFE_MS),
      roomConfig: { emptyTimeout: EMPTY_SECONDS, departureTimeout: DEPARTED_SECONDS },
    });
    return this.enter(this.server.url, token, listener);
  }

  /**
   * The state of a call, as its room shows it; null where there is no room.
   *
   * @throws CallCarrierError when the server does not answer
   */
  async look(room: string, key: string): Promise<CarrierCall | null> {
    const participants = await this.rooms.participantsOf(room).catch((cause: unknown) => {
      throw new CallCarrierError('unavailable', 'no', { cause });
    });
    const callee = participants.find(({ identity }) => identity === CALLEE);
    if (!callee) return null;
    const { attributes } = callee;
    const status = attributes['sip.callStatus'];
    const isAnswered = status === 'active' || status === 'automation';
    return {
      callId: room,
      key,
      direction: 'outbound',
      from: attributes['sip.trunkPhoneNumber'] ?? '',
      to: attributes['sip.phoneNumber'] ?? '',
      progress: isAnswered ? 'answered' : status === 'ringing' ? 'ringing' : 'dialing',
      answeredBy: null,
      transfer: 'none',
      // LiveKit keeps no time of the answer.
      answeredAt: null,
      endedAt: null,
      end: null,
    };
  }

  /**
   * Ends a room, and so the call in it.
   *
   * @throws CallCarrierError when the server does not do it
   */
  async end(room: string): Promise<void> {
    try {
      await this.rooms.delete(room);
    } catch (cause) {
      const isUnsent = cause instanceof LiveKitApiError && cause.code === 'unsent';
      throw new CallCarrierError('unavailable', isUnsent ? 'no' : 'maybe', { cause });
    }
  }

  /** The same in the background, repeated until the server does it: a callee must not be left alone on the line. */
  endLater(room: string): void {
    const ended = this.endSurely(room).finally(() => this.ending.delete(ended));
    this.ending.add(ended);
  }

  /** When all are ended, or the time for that is over. */
  async close(): Promise<void> {
    await Promise.race([Promise.all(this.ending), sleep(CLOSE_MS, undefined, { ref: false })]);
  }

  private async endSurely(room: string): Promise<void> {
    for (let tries = 1; tries <= MAX_TRIES; tries++) {
      try {
        return await this.end(room);
      } catch (error) {
        this.onTrouble(error);
        // A room that is left ends when the callee hangs up, or at LiveKit's maximum call length.
        await sleep(RETRY_MS * tries, undefined, { ref: false });
      }
    }
  }
}
