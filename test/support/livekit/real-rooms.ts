import { createHmac } from 'node:crypto';
import { RoomEvent } from '@livekit/rtc-node';
import type { LiveKitConfig } from '../../../src/config/config.js';
import { until } from '../until.js';
import type { ReceivedRequest } from '../http-server.js';
import { RoomEnd } from './room-end.js';
import type { SipPresence, SipRooms } from './sip-service.js';

/** Who is called, as LiveKit's SIP service brings them into a room: a participant of the kind SIP. */
export class RoomCallee extends RoomEnd implements SipPresence {
  readonly keys: string[] = [];
  readonly gone: Promise<void>;

  private constructor() {
    super();
    this.gone = new Promise((resolve) => this.room.on(RoomEvent.Disconnected, () => resolve()));
    this.room.on(RoomEvent.DtmfReceived, (_code, digit) => this.keys.push(digit));
  }

  static async enter(url: string, token: string): Promise<RoomCallee> {
    const callee = new RoomCallee();
    await callee.join(url, token);
    return callee;
  }

  setStatus(status: string): Promise<void> {
    return this.room.localParticipant!.setAttributes({ 'sip.callStatus': status });
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
    const callee = await RoomCallee.enter(this.config.url, this.tokenOf(room, identity, attributes));
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
