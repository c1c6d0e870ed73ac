import { createHmac } from 'node:crypto';
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
import { rmsOf } from '../../../src/common/audio/pcm.js';
import type { LiveKitConfig } from '../../../src/config/config.js';
import { until } from '../until.js';
import type { ReceivedRequest } from '../http-server.js';
import type { SipPresence, SipRooms } from './sip-service.js';

const RATE_HZ = 48_000;
const FRAME_SAMPLES = RATE_HZ / 50;
/** Above it a frame is heard, 0 to 1. */
const AUDIBLE = 0.01;

/** Who is called, as LiveKit's SIP service brings them into a room: with LiveKit's client, as a participant of the kind SIP. */
export class RoomCallee implements SipPresence {
  readonly keys: string[] = [];
  heardFrames = 0;
  readonly gone: Promise<void>;
  private readonly source = new AudioSource(RATE_HZ, 1, 200);

  private constructor(private readonly room: Room) {
    this.gone = new Promise((resolve) => room.on(RoomEvent.Disconnected, () => resolve()));
    room.on(RoomEvent.TrackSubscribed, (track) => void this.hear(track));
    room.on(RoomEvent.DtmfReceived, (_code, digit) => this.keys.push(digit));
  }

  static async join(url: string, token: string): Promise<RoomCallee> {
    const room = new Room();
    const callee = new RoomCallee(room);
    await room.connect(url, token, { autoSubscribe: true, dynacast: false });
    const track = LocalAudioTrack.createAudioTrack('audio', callee.source);
    const options = new TrackPublishOptions({ source: TrackSource.SOURCE_MICROPHONE });
    await room.localParticipant!.publishTrack(track, options);
    return callee;
  }

  setStatus(status: string): Promise<void> {
    return this.room.localParticipant!.setAttributes({ 'sip.callStatus': status });
  }

  /** This client leaves on its own account alone, whatever the reason. */
  async leave(): Promise<void> {
    await this.room.disconnect();
  }

  async press(digit: string): Promise<void> {
    await this.room.localParticipant!.publishDtmf(Number(digit), digit);
  }

  async speak(frames: number): Promise<void> {
    const tone = Int16Array.from({ length: FRAME_SAMPLES }, (_, at) =>
      Math.round(8_000 * Math.sin((at * 2 * Math.PI * 500) / RATE_HZ)),
    );
    for (let said = 0; said < frames; said++) {
      await this.source.captureFrame(new AudioFrame(tone.slice(), RATE_HZ, 1, FRAME_SAMPLES));
    }
  }

  private async hear(track: RemoteTrack): Promise<void> {
    const stream = new AudioStream(track, { sampleRate: RATE_HZ, numChannels: 1, frameSizeMs: 20 });
    for await (const { data } of stream) if (rmsOf(data) > AUDIBLE) this.heardFrames++;
  }
}

/** The rooms of a LiveKit server that runs. */
export class RealRooms implements SipRooms {
  private readonly callees = new Map<string, RoomCallee>();

  constructor(private readonly config: LiveKitConfig) {}

  async callee(room: string): Promise<RoomCallee> {
    await until(() => this.callees.has(room));
    return this.callees.get(room)!;
  }

  async enter(
    room: string,
    identity: string,
    attributes: Readonly<Record<string, string>>,
  ): Promise<SipPresence> {
    const callee = await RoomCallee.join(this.config.url, this.tokenOf(room, identity, attributes));
    this.callees.set(room, callee);
    return callee;
  }

  async serve(_method: string, { path, headers, body }: ReceivedRequest) {
    const { authorization = '' } = headers;
    const answer = await fetch(`${this.config.url.replace('ws', 'http')}${path}`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body,
    });
    return { status: answer.status, body: await answer.json() };
  }

  /** As livekit/protocol makes it for its SIP service (`sip/token.go`). */
  private tokenOf(room: string, identity: string, attributes: Readonly<Record<string, string>>): string {
    const { apiKey, apiSecret } = this.config;
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const claims = {
      iss: apiKey,
      sub: identity,
      exp: Math.floor(Date.now() / 1_000) + 60,
      kind: 'sip',
      attributes,
      video: { roomJoin: true, room, canPublish: true, canSubscribe: true, canUpdateOwnMetadata: true },
    };
    const signed = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}`;
    return `${signed}.${createHmac('sha256', apiSecret).update(signed).digest('base64url')}`;
  }
}
