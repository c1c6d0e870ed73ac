import type { RemoteParticipant, Room } from '@livekit/rtc-node';
import { type Rtc, RoomSound } from '../livekit/room-sound.js';
import type { WebCallConnection, WebCallConnectionListener } from '../web/web-call-connection.js';
import { clientMessageOf, CLOSE } from '../web/web-call-protocol.js';

/** The identity of the callee in the room of the call. No other participant is admitted. */
export const CALLEE = 'callee';

/** `sip.callStatus`: https://docs.livekit.io/reference/telephony/sip-participant/ */
const STATUS = 'sip.callStatus';
const NAMED_CODES: Readonly<Record<string, number>> = { '*': 10, '#': 11, A: 12, B: 13, C: 14, D: 15 };

export interface CalleeRoomListener {
  /**
   * The status of the callee's call, in LiveKit's words; once or more often. Undefined where LiveKit does not report
   * it.
   */
  onStatus(status: string | undefined): void;
  /** The callee has left. @param reason a `DisconnectReason`; undefined where LiveKit gives none */
  onGone(reason: number | undefined): void;
  /** This end has lost the room, or the room was closed. @param reason as above */
  onLeft(reason: number | undefined): void;
  /** An error that may be audible. Errors that end the room are reported by the other callbacks. */
  onTrouble(error: unknown): void;
}

/** A room in which one is called, seen from the assistant's end. Its sound is 24 kHz. */
export interface CalleeRoom extends WebCallConnection {
  /** Plays one key to who is called: 0-9, A-D, * or #. Rejects when it could not be sent. */
  sendKey(key: string): Promise<void>;
}

/** Joins a room. Rejects when the server cannot be reached, or refuses. */
export type JoinCalleeRoom = (
  url: string,
  token: string,
  listener: CalleeRoomListener,
) => Promise<CalleeRoom>;

/** The room as LiveKit's client for Node.js has it. */
class RtcCalleeRoom implements CalleeRoom {
  readonly noticesBreaks = true;
  private readonly sound: RoomSound;
  private connection: WebCallConnectionListener | null = null;
  private hasLeft = false;

  constructor(
    rtc: Rtc,
    private readonly room: Room,
    private readonly owner: CalleeRoomListener,
  ) {
    const { RoomEvent } = rtc;
    this.sound = new RoomSound(rtc, room, {
      onSound: (samples) => this.connection?.onSound(samples),
      onTrouble: (error) => owner.onTrouble(error),
    });
    const ifCallee =
      (listener: (participant: RemoteParticipant) => void) => (participant: RemoteParticipant) => {
        if (participant.identity === CALLEE) listener(participant);
      };
    const tellStatus = ({ attributes }: Pick<RemoteParticipant, 'attributes'>) =>
      owner.onStatus(attributes[STATUS]);
    room.on(RoomEvent.ParticipantConnected, ifCallee(tellStatus));
    room.on(RoomEvent.ParticipantAttributesChanged, (_changed, participant) => {
      if (participant.identity === CALLEE) tellStatus(participant);
    });
    room.on(
      RoomEvent.ParticipantDisconnected,
      ifCallee(({ disconnectReason }) => owner.onGone(disconnectReason)),
    );
    room.on(RoomEvent.TrackSubscribed, (track, _publication, { identity }) => {
      if (identity === CALLEE) this.sound.hear(track);
    });
    room.on(RoomEvent.DtmfReceived, (_code, digit, { identity }) => {
      if (identity !== CALLEE) return;
      this.connection?.onMessage(clientMessageOf(Buffer.from(JSON.stringify({ type: 'key', digit }))));
    });
    room.on(RoomEvent.Disconnected, (reason) => {
      if (!this.hasLeft) owner.onLeft(reason);
    });
  }

  async join(url: string, token: string): Promise<void> {
    try {
      await this.sound.join(url, token);
    } catch (error) {
      this.hasLeft = true;
      throw error;
    }
  }

  listen(listener: WebCallConnectionListener): void {
    this.connection = listener;
  }

  send(frame: Int16Array): boolean {
    return this.sound.send(frame);
  }

  clear(): void {
    this.sound.clear();
  }

  /** A telephone shows nothing. */
  sendMessage(): void {}

  async sendKey(key: string): Promise<void> {
    const { localParticipant } = this.room;
    if (!localParticipant) throw new Error('the room has been left');
    await localParticipant.publishDtmf(NAMED_CODES[key] ?? Number(key), key);
  }

  close(code: number): void {
    const { connection } = this;
    this.connection = null;
    if (!this.hasLeft) {
      this.hasLeft = true;
      this.sound.close();
      void this.room.disconnect().catch((error: unknown) => this.owner.onTrouble(error));
    }
    connection?.onClosed(code === CLOSE.over);
  }
}

export const joinCalleeRoom: JoinCalleeRoom = async (url, token, listener) => {
  const rtc = await import('@livekit/rtc-node');
  const joined = new RtcCalleeRoom(rtc, new rtc.Room(), listener);
  await joined.join(url, token);
  return joined;
};
