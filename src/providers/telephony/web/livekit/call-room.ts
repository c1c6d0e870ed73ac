import { setTimeout as delay } from 'node:timers/promises';
import type { AudioSource, AudioStream, RemoteParticipant, RemoteTrack, Room } from '@livekit/rtc-node';
import type { WebCallConnection, WebCallConnectionListener } from '../web-call-connection.js';
import { clientMessageOf, CLOSE, type ServerMessage, WEB_CALL_SAMPLE_RATE_HZ } from '../web-call-protocol.js';
import { CUSTOMER, TOPIC } from './room-names.js';

type Rtc = typeof import('@livekit/rtc-node');

/** Sound that LiveKit's own queue holds at most; what is in it can be taken back. */
const QUEUE_MS = 200;
/** Frames that wait for that queue; with more the room does not take what is sent. */
const MAX_WAITING_FRAMES = 200;
const FRAME_MS = 20;
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

/** A room of a LiveKit server with one customer and, at this end, the assistant. 24 kHz here; LiveKit resamples. */
export class CallRoom implements WebCallConnection {
  readonly noticesBreaks = true;
  private listener: WebCallConnectionListener | null = null;
  private stream: AudioStream | null = null;
  /** Sound and words leave in the order in which they came. */
  private sending = Promise.resolve();
  private telling = Promise.resolve();
  private waitingFrames = 0;
  /** What was sent before the last `clear` is not sent any more. */
  private cleared = 0;
  private vacancy: NodeJS.Timeout | undefined;
  private isReady = false;
  private isClosing = false;
  private hasLeft = false;

  private constructor(
    private readonly rtc: Rtc,
    private readonly room: Room,
    private readonly source: AudioSource,
    private readonly owner: CallRoomListener,
  ) {
    const { RoomEvent } = rtc;
    room.on(RoomEvent.ParticipantConnected, ({ identity }) => {
      if (identity === CUSTOMER && this.isReady) this.meet();
    });
    room.on(RoomEvent.ParticipantDisconnected, (participant) => {
      if (participant.identity === CUSTOMER) this.lose(participant);
    });
    room.on(RoomEvent.TrackSubscribed, (track, _publication, { identity }) => {
      if (identity === CUSTOMER) this.hear(track);
    });
    room.on(RoomEvent.DataReceived, (payload, participant, _kind, topic) => {
      if (participant?.identity !== CUSTOMER || topic !== TOPIC) return;
      this.listener?.onMessage(clientMessageOf(Buffer.from(payload)));
    });
    room.on(RoomEvent.DtmfReceived, (_code, digit, { identity }) => {
      if (identity === CUSTOMER) this.listener?.onMessage(keyOf(digit));
    });
    room.on(RoomEvent.Disconnected, () => this.left());
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
    const source = new rtc.AudioSource(WEB_CALL_SAMPLE_RATE_HZ, 1, QUEUE_MS);
    const joined = new CallRoom(rtc, room, source, owner);
    try {
      await room.connect(url, token, { autoSubscribe: true, dynacast: false });
      const track = rtc.LocalAudioTrack.createAudioTrack('assistant', source);
      const options = new rtc.TrackPublishOptions({ source: rtc.TrackSource.SOURCE_MICROPHONE });
      await room.localParticipant?.publishTrack(track, options);
    } catch (error) {
      // It was never there, so nobody is told that it has left.
      joined.hasLeft = true;
      await room.disconnect().catch((failure: unknown) => owner.onTrouble(failure));
      await source.close();
      throw error;
    }
    joined.isReady = true;
    if (room.remoteParticipants.has(CUSTOMER)) joined.meet();
    else joined.waitForCustomer();
    return joined;
  }

  listen(listener: WebCallConnectionListener): void {
    this.listener = listener;
  }

  send(frame: Int16Array): boolean {
    if (this.hasLeft) return true;
    if (this.waitingFrames >= MAX_WAITING_FRAMES) return false;
    const samples = frame.slice();
    const { cleared } = this;
    this.waitingFrames++;
    this.sending = this.sending
      .then(() => (cleared === this.cleared && !this.hasLeft ? this.capture(samples) : undefined))
      .catch((error: unknown) => this.trouble(error))
      .finally(() => this.waitingFrames--);
    return true;
  }

  clear(): void {
    this.cleared++;
    if (!this.hasLeft) this.source.clearQueue();
  }

  tell(message: ServerMessage): void {
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

  /** Leaves the room once the customer has been told all. */
  close(code: number): void {
    this.tellOfEnd(code === CLOSE.over);
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

  private tellOfEnd(isOver: boolean): void {
    const { listener } = this;
    this.listener = null;
    listener?.onClosed(isOver);
  }

  private capture(samples: Int16Array): Promise<void> {
    const frame = new this.rtc.AudioFrame(samples, WEB_CALL_SAMPLE_RATE_HZ, 1, samples.length);
    return this.source.captureFrame(frame);
  }

  private hear(track: RemoteTrack): void {
    if (track.kind !== this.rtc.TrackKind.KIND_AUDIO) return;
    const stream = new this.rtc.AudioStream(track, {
      sampleRate: WEB_CALL_SAMPLE_RATE_HZ,
      numChannels: 1,
      frameSizeMs: FRAME_MS,
    });
    // One voice at a time: the microphone that was published last.
    this.stream = stream;
    void this.read(stream).catch((error: unknown) => this.trouble(error));
  }

  private async read(stream: AudioStream): Promise<void> {
    for await (const { data } of stream) {
      if (stream !== this.stream || this.hasLeft) return;
      this.listener?.onSound(data);
    }
  }

  private lose(participant: RemoteParticipant): void {
    this.stream = null;
    const isOver = participant.disconnectReason === this.rtc.DisconnectReason.CLIENT_INITIATED;
    this.tellOfEnd(isOver);
    if (isOver) this.close(CLOSE.over);
    else if (!this.isClosing) this.waitForCustomer();
  }

  /** Once, whoever ended it. */
  private left(): void {
    if (this.hasLeft) return;
    this.hasLeft = true;
    this.stream = null;
    clearTimeout(this.vacancy);
    this.tellOfEnd(false);
    void this.source.close().catch((error: unknown) => this.owner.onTrouble(error));
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
