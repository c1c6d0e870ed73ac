import type { AudioSource, AudioStream, RemoteTrack, Room } from '@livekit/rtc-node';
import { FRAME_MS, type SampleRateHz } from '@prosa/audio';

export type Rtc = typeof import('@livekit/rtc-node');

/** Of the sound here, both ways; LiveKit resamples. */
export const ROOM_SAMPLE_RATE_HZ = 24_000 satisfies SampleRateHz;
/** Sound that LiveKit's own queue holds at most; what is in it can be taken back. */
const QUEUE_MS = 200;
/** Frames that wait for that queue; with more the room does not take what is sent. */
const MAX_WAITING_FRAMES = 200;

export interface RoomSoundListener {
  /** A frame of 20 ms. */
  onSound(samples: Int16Array): void;
  onTrouble(error: unknown): void;
}

/** The sound of a room of a LiveKit server: the assistant's, which is published there, and that of one who talks to it. */
export class RoomSound {
  private readonly source: AudioSource;
  private stream: AudioStream | null = null;
  /** Sound leaves in the order in which it came. */
  private sending = Promise.resolve();
  private waitingFrames = 0;
  /** What was sent before the last `clear` is not sent any more. */
  private cleared = 0;
  private isOver = false;

  constructor(
    private readonly rtc: Rtc,
    private readonly room: Room,
    private readonly listener: RoomSoundListener,
  ) {
    this.source = new rtc.AudioSource(ROOM_SAMPLE_RATE_HZ, 1, QUEUE_MS);
  }

  /**
   * Joins the room, and lets the assistant be heard there.
   *
   * @throws Error when the server cannot be reached, or refuses; the room is left then
   */
  async join(url: string, token: string): Promise<void> {
    const { rtc, room, source } = this;
    try {
      await room.connect(url, token, { autoSubscribe: true, dynacast: false });
      const track = rtc.LocalAudioTrack.createAudioTrack('assistant', source);
      const options = new rtc.TrackPublishOptions({ source: rtc.TrackSource.SOURCE_MICROPHONE });
      await room.localParticipant?.publishTrack(track, options);
      if (!room.isConnected) throw new Error('the room has ended');
    } catch (error) {
      this.isOver = true;
      await room.disconnect().catch((failure: unknown) => this.listener.onTrouble(failure));
      await source.close();
      throw error;
    }
  }

  /** Sends one frame. Returns false when the room does not take what was sent before. */
  send(frame: Int16Array): boolean {
    if (this.isOver) return true;
    if (this.waitingFrames >= MAX_WAITING_FRAMES) return false;
    const samples = frame.slice();
    const { cleared } = this;
    this.waitingFrames++;
    this.sending = this.sending
      .then(() => (cleared === this.cleared && !this.isOver ? this.capture(samples) : undefined))
      .catch((error: unknown) => this.trouble(error))
      .finally(() => this.waitingFrames--);
    return true;
  }

  /** Drops what was sent and is not on its way yet. */
  clear(): void {
    this.cleared++;
    if (!this.isOver) this.source.clearQueue();
  }

  /** One voice at a time: the microphone that was published last. Other tracks are left aside. */
  hear(track: RemoteTrack): void {
    if (track.kind !== this.rtc.TrackKind.KIND_AUDIO) return;
    const stream = new this.rtc.AudioStream(track, {
      sampleRate: ROOM_SAMPLE_RATE_HZ,
      numChannels: 1,
      frameSizeMs: FRAME_MS,
    });
    this.stream = stream;
    void this.read(stream).catch((error: unknown) => this.trouble(error));
  }

  /** Who was heard is gone. */
  hearNobody(): void {
    this.stream = null;
  }

  /** To be called once, when the room has been or is being left. */
  close(): void {
    this.isOver = true;
    this.stream = null;
    void this.source.close().catch((error: unknown) => this.listener.onTrouble(error));
  }

  private capture(samples: Int16Array): Promise<void> {
    const frame = new this.rtc.AudioFrame(samples, ROOM_SAMPLE_RATE_HZ, 1, samples.length);
    return this.source.captureFrame(frame);
  }

  private async read(stream: AudioStream): Promise<void> {
    for await (const { data } of stream) {
      if (stream !== this.stream || this.isOver) return;
      this.listener.onSound(data);
    }
  }

  /** What fails because this end has left is of no interest. */
  private trouble(error: unknown): void {
    if (!this.isOver) this.listener.onTrouble(error);
  }
}
