import {
  AudioFrame,
  AudioSource,
  AudioStream,
  LocalAudioTrack,
  type RemoteTrack,
  Room,
  RoomEvent,
  TrackPublishOptions,
  TrackSource,
} from '@livekit/rtc-node';
import { rmsOf } from '@prosa/audio';

const RATE_HZ = 48_000;
const FRAME_MS = 20;
const FRAME_SAMPLES = (RATE_HZ / 1_000) * FRAME_MS;
/** Above it a frame is heard, 0 to 1. */
const AUDIBLE = 0.01;

/** An end of a call in a room of a LiveKit server, with LiveKit's own client: a microphone, an ear, and keys. */
export class RoomEnd {
  /** When something was heard that is no silence, one entry for 20 ms. */
  readonly heardAtMs: number[] = [];
  protected readonly room = new Room();
  private readonly source = new AudioSource(RATE_HZ, 1, 200);

  protected constructor() {
    this.room.on(RoomEvent.TrackSubscribed, (track) => void this.hear(track));
  }

  get soundMs(): number {
    return this.heardAtMs.length * FRAME_MS;
  }

  protected async join(url: string, token: string): Promise<void> {
    await this.room.connect(url, token, { autoSubscribe: true, dynacast: false });
    const track = LocalAudioTrack.createAudioTrack('microphone', this.source);
    const options = new TrackPublishOptions({ source: TrackSource.SOURCE_MICROPHONE });
    await this.room.localParticipant!.publishTrack(track, options);
  }

  /** Speaks at the pace of real time, samples at 48 kHz. */
  async speak(samples: Int16Array): Promise<void> {
    for (let at = 0; at < samples.length; at += FRAME_SAMPLES) {
      const frame = new Int16Array(FRAME_SAMPLES);
      frame.set(samples.subarray(at, at + FRAME_SAMPLES));
      await this.source.captureFrame(new AudioFrame(frame, RATE_HZ, 1, FRAME_SAMPLES));
    }
    await this.source.waitForPlayout();
  }

  pressKey(digit: string): Promise<void> {
    return this.room.localParticipant!.publishDtmf(Number(digit), digit);
  }

  leave(): Promise<void> {
    return this.room.disconnect();
  }

  private async hear(track: RemoteTrack): Promise<void> {
    const stream = new AudioStream(track, { sampleRate: RATE_HZ, numChannels: 1, frameSizeMs: FRAME_MS });
    for await (const { data } of stream) if (rmsOf(data) > AUDIBLE) this.heardAtMs.push(performance.now());
  }
}
