import { setTimeout as delay } from 'node:timers/promises';
import type { RemoteParticipant, Room } from '@livekit/rtc-node';
import { type Rtc, RoomSound } from '../../livekit/room-sound.js';
import type { WebCallConnection, WebCallConnectionListener } from '../web-call-connection.js';
import { clientMessageOf, CLOSE, type ServerMessage } from '../web-call-protocol.js';
import { CUSTOMER, TOPIC } from './room-names.js';

/** Between the last word and the end of the connection: for what is on its way. */
const LAST_WORDS_MS = 500;
/** A room in which no customer is. A call waits shorter for one that is lost. */
const VACANT_MS = 12_000;

export interface CallRoomListener {
  /** The customer is there, for the first time or again. */
  onCustomer(room: CallRoom): void;
  /** This end has left the room, or has lost it. */
  onLeft(): void;
  onTrouble(error: unknown): void;
}

/** A room of a LiveKit server with one customer and, at this end, the assistant. */
export class CallRoom implements WebCallConnection {
  readonly noticesBreaks = true;
  private listener: WebCallConnectionListener | null = null;
  private readonly sound: RoomSound;
  /** Words leave in the order in which they came. */
  private telling = Promise.resolve();
  private vacancy: NodeJS.Timeout | undefined;
  private isReady = false;
  private isClosing = false;
  private hasLeft = false;

  private constructor(
    private readonly rtc: Rtc,
    private readonly room: Room,
    private readonly owner: CallRoomListener,
  ) {
    const { RoomEvent } = rtc;
    this.sound = new RoomSound(rtc, room, {
      onSound: (samples) => this.listener?.onSound(samples),
      onTrouble: (error) => owner.onTrouble(error),
    });
    room.on(RoomEvent.ParticipantConnected, ({ identity }) => {
      if (identity === CUSTOMER && this.isReady) this.meet();
    });
    room.on(RoomEvent.ParticipantDisconnected, (participant) => {
      if (participant.identity === CUSTOMER) this.lose(participant);
    });
    room.on(RoomEvent.TrackSubscribed, (track, _publication, { identity }) => {
      if (identity === CUSTOMER) this.sound.hear(track);
    });
    room.on(RoomEvent.DataReceived, (payload, participant, _kind, topic) => {
      if (participant?.identity !== CUSTOMER || topic !== TOPIC) return;
      this.listener?.onMessage(clientMessageOf(Buffer.from(payload)));
    });
    room.on(RoomEvent.DtmfReceived, (_code, digit, { identity }) => {
      if (identity === CUSTOMER) this.listener?.onMessage(keyOf(digit));
    });
    room.on(RoomEvent.Disconnected, () => {
      // Before that it was never there, so no leave event is emitted.
      if (this.isReady) this.left();
    });
  }

  /**
   * Joins a room, and lets the assistant be heard there.
   *
   * @param token as the server gave it to the agent
   * @throws Error when the server cannot be reached, or refuses
   */
  static async join(url: string, token: string, owner: CallRoomListener): Promise<CallRoom> {
    const rtc = await import('@livekit/rtc-node');
    const room = new rtc.Room();
    const joined = new CallRoom(rtc, room, owner);
    await joined.sound.join(url, token);
    joined.isReady = true;
    if (room.remoteParticipants.has(CUSTOMER)) joined.meet();
    else joined.waitForCustomer();
    return joined;
  }

  listen(listener: WebCallConnectionListener): void {
    this.listener = listener;
  }

  send(frame: Int16Array): boolean {
    return this.sound.send(frame);
  }

  clear(): void {
    this.sound.clear();
  }

  sendMessage(message: ServerMessage): void {
    if (this.hasLeft) return;
    const payload = Buffer.from(JSON.stringify(message));
    this.telling = this.telling
      .then(() =>
        this.room.localParticipant?.publishData(payload, {
          reliable: true,
          topic: TOPIC,
          destination_identities: [CUSTOMER],
        }),
      )
      .catch((error: unknown) => this.trouble(error));
  }

  /** Leaves the room once the customer has received everything. */
  close(code: number): void {
    this.sendEnd(code === CLOSE.over);
    if (this.isClosing) return;
    this.isClosing = true;
    clearTimeout(this.vacancy);
    void this.leave().catch((error: unknown) => this.owner.onTrouble(error));
  }

  private async leave(): Promise<void> {
    await this.telling;
    await delay(LAST_WORDS_MS);
    const hadLeft = this.hasLeft;
    this.left();
    if (!hadLeft) await this.room.disconnect();
  }

  private meet(): void {
    clearTimeout(this.vacancy);
    if (!this.isClosing) this.owner.onCustomer(this);
  }

  private waitForCustomer(): void {
    clearTimeout(this.vacancy);
    this.vacancy = setTimeout(() => this.close(CLOSE.nothingCame), VACANT_MS);
  }

  private sendEnd(isOver: boolean): void {
    const { listener } = this;
    this.listener = null;
    listener?.onClosed(isOver);
  }

  private lose(participant: RemoteParticipant): void {
    this.sound.hearNobody();
    const isOver = participant.disconnectReason === this.rtc.DisconnectReason.CLIENT_INITIATED;
    this.sendEnd(isOver);
    if (isOver) this.close(CLOSE.over);
    else if (!this.isClosing) this.waitForCustomer();
  }

  /** Once, for any cause. */
  private left(): void {
    if (this.hasLeft) return;
    this.hasLeft = true;
    this.sound.close();
    clearTimeout(this.vacancy);
    this.sendEnd(false);
    this.owner.onLeft();
  }

  /** What fails because this end has left is of no interest. */
  private trouble(error: unknown): void {
    if (!this.hasLeft) this.owner.onTrouble(error);
  }
}

function keyOf(digit: string) {
  return clientMessageOf(Buffer.from(JSON.stringify({ type: 'key', digit })));
}
