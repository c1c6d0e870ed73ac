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
import { rmsOf } from '../../src/common/audio/pcm.js';
import type { ShownTurn } from './web-caller.js';
import { until } from './until.js';

const RATE_HZ = 48_000;
const FRAME_MS = 20;
const FRAME_SAMPLES = (RATE_HZ / 1_000) * FRAME_MS;
/** Above it a frame is heard, 0 to 1. */
const AUDIBLE = 0.01;

/** What a web call says of its room. */
export interface RoomInvitation {
  readonly url: string;
  readonly token: string;
  readonly room: string;
}

/** A customer of a web call in a LiveKit room, with LiveKit's own client. */
export class RoomCaller {
  readonly shown: ShownTurn[] = [];
  /** When something was heard that is no silence, one entry for 20 ms. */
  readonly heardAtMs: number[] = [];
  isConnected = true;
  private readonly source = new AudioSource(RATE_HZ, 1, 200);

  private constructor(private readonly room: Room) {
    room.on(RoomEvent.DataReceived, (payload, _participant, _kind, topic) => {
      if (topic === 'prosa') this.shown.push(JSON.parse(Buffer.from(payload).toString('utf8')) as ShownTurn);
    });
    room.on(RoomEvent.TrackSubscribed, (track) => void this.hear(track));
    room.on(RoomEvent.Disconnected, () => {
      this.isConnected = false;
    });
  }

  static async connect({ url, token }: RoomInvitation): Promise<RoomCaller> {
    const room = new Room();
    const caller = new RoomCaller(room);
    await room.connect(url, token, { autoSubscribe: true, dynacast: false });
    const track = LocalAudioTrack.createAudioTrack('microphone', caller.source);
    const options = new TrackPublishOptions({ source: TrackSource.SOURCE_MICROPHONE });
    await room.localParticipant!.publishTrack(track, options);
    return caller;
  }

  get soundMs(): number {
    return this.heardAtMs.length * FRAME_MS;
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

  async hears(ms: number, timeoutMs = 60_000): Promise<void> {
    const enough = this.soundMs + ms;
    await until(() => this.soundMs >= enough, timeoutMs);
  }

  shows(role: ShownTurn['role'], text: string): Promise<void> {
    return until(
      () => this.shown.some((turn) => turn.role === role && turn.text?.includes(text)),
      60_000,
    ).catch((cause: unknown) => {
      throw new Error(`"${text}" was not shown: ${JSON.stringify(this.shown)}`, { cause });
    });
  }

  /** A message of the protocol of web calls. */
  async tell(message: object): Promise<void> {
    const payload = Buffer.from(JSON.stringify(message));
    await this.room.localParticipant!.publishData(payload, { reliable: true, topic: 'prosa' });
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
