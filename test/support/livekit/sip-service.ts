import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { LiveKitConfig } from '../../../src/config/config.js';
import { answerJson, LocalServer, type ReceivedRequest } from '../http-server.js';

/** Who is called, as a participant of a room. */
export interface SipPresence {
  /** Sets `sip.callStatus`. */
  setStatus(status: string): Promise<void>;
  /** @param reason a `DisconnectReason` */
  leave(reason: number): Promise<void>;
  /** When the room is over, or this participant was put out of it. */
  readonly gone: Promise<void>;
}

/** The rooms that calls are made into. */
export interface SipRooms {
  enter(room: string, identity: string, attributes: Readonly<Record<string, string>>): Promise<SipPresence>;
  /** Answers a request to the RoomService. */
  serve(method: string, request: ReceivedRequest): Promise<{ status: number; body: unknown }>;
}

/** `CreateSIPParticipantRequest` and `TransferSIPParticipantRequest` of livekit_sip.proto, as far as they are used. */
export interface CreateRequest {
  readonly trunk: Readonly<Record<string, string>>;
  readonly sip_number: string;
  readonly sip_call_to: string;
  readonly room_name: string;
  readonly participant_identity: string;
  readonly ringing_timeout: string;
  readonly media_encryption: string;
  readonly wait_until_answered: boolean;
}
interface TransferRequest {
  readonly room_name: string;
  readonly transfer_to: string;
}
interface Claims {
  readonly video?: { readonly roomAdmin?: boolean; readonly room?: string };
  readonly sip?: { readonly call?: boolean };
}

/** A refusal, as Twirp writes it. HTTP statuses: https://twitchtv.github.io/twirp/docs/spec_v7.html#error-codes */
class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    readonly sipStatus: number | null = null,
  ) {
    super(code);
  }
}

const STEP_MS = 60;
const TRANSFER_MS = 700;
const [CLIENT_INITIATED, USER_UNAVAILABLE, USER_REJECTED, SIP_TRUNK_FAILURE] = [1, 11, 12, 13];

/**
 * The API of a LiveKit server with its SIP service, of which nothing is real but what is said: who is called joins the room
 * as `dialing`, rings, is `active` or leaves, before the request is answered (`pkg/sip/outbound.go` of livekit/sip). A SIP
 * answer makes the error that livekit/protocol makes of it (`livekit/sip.go`).
 *
 * By the last two digits of who is called: busy (01), lets it ring (02), fails (04); others answer. Transfers the same.
 */
export class FakeSipService {
  /** Each call that was asked for. */
  readonly created: CreateRequest[] = [];
  readonly transfers: string[] = [];
  /** What the next calls are answered with, before anybody is called; null: they are made. */
  refusal: { readonly status: number; readonly code: string } | null = null;
  /** How a REFER is refused; null: it is done. */
  refusesRefer: number | null = null;
  /** The answers of calls are lost on their way. */
  losesAnswers = false;
  /** Calls are begun so much later. */
  delayMs = 0;
  declare private server: LocalServer;

  private constructor(
    private readonly key: Pick<LiveKitConfig, 'apiKey' | 'apiSecret'>,
    private readonly rooms: SipRooms,
  ) {}

  static async start(
    key: Pick<LiveKitConfig, 'apiKey' | 'apiSecret'>,
    rooms: SipRooms,
  ): Promise<FakeSipService> {
    const service = new FakeSipService(key, rooms);
    service.server = await LocalServer.start(async (request, response) => {
      try {
        const answer = await service.answer(request);
        if (service.losesAnswers && request.path.includes('livekit.SIP')) response.destroy();
        else answerJson(response, answer.body, answer.status);
      } catch (error) {
        const { status, code, sipStatus } = error instanceof Refusal ? error : new Refusal(500, 'internal');
        const meta = sipStatus === null ? {} : { sip_status_code: String(sipStatus), sip_status: 'said so' };
        answerJson(response, { code, msg: String(error), meta }, status);
      }
    });
    return service;
  }

  /** As the carrier is to reach it. */
  get config(): LiveKitConfig {
    return { ...this.key, url: this.server.url.replace('http', 'ws') };
  }

  /** Forwards the rooms of all clients to a LiveKit server. */
  forwardRoomsTo({ url }: LiveKitConfig): void {
    this.server.forwardUpgrades(Number(new URL(url).port));
  }

  stop(): Promise<void> {
    return this.server.stop();
  }

  private async answer(request: ReceivedRequest): Promise<{ status: number; body: unknown }> {
    const [, service, method = ''] = /^\/twirp\/livekit\.(\w+)\/(\w+)$/.exec(request.path) ?? [];
    const claims = this.claimsOf(request);
    const body = JSON.parse(request.body) as unknown;
    if (service === 'RoomService') return this.rooms.serve(method, request);
    if (service !== 'SIP' || !claims.sip?.call) throw new Refusal(401, 'unauthenticated');
    if (method === 'CreateSIPParticipant') {
      return { status: 200, body: await this.create(body as CreateRequest) };
    }
    const transfer = body as TransferRequest;
    if (claims.video?.room !== transfer.room_name || !claims.video.roomAdmin)
      throw new Refusal(401, 'unauthenticated');
    return { status: 200, body: await this.transfer(transfer) };
  }

  private claimsOf({ headers }: ReceivedRequest): Claims {
    const [head = '', claims = '', signature] = (headers.authorization ?? '')
      .replace('Bearer ', '')
      .split('.');
    const expected = createHmac('sha256', this.key.apiSecret).update(`${head}.${claims}`).digest('base64url');
    if (signature !== expected) throw new Refusal(401, 'unauthenticated');
    return JSON.parse(Buffer.from(claims, 'base64url').toString()) as Claims;
  }

  private async create(request: CreateRequest): Promise<object> {
    this.created.push(request);
    if (this.refusal) throw new Refusal(this.refusal.status, this.refusal.code);
    await sleep(this.delayMs);
    const { room_name: room, participant_identity: identity, sip_call_to: to } = request;
    const presence = await this.rooms.enter(room, identity, {
      'sip.callID': `SCL_${room}`,
      'sip.callStatus': 'dialing',
      'sip.phoneNumber': to,
      'sip.trunkPhoneNumber': request.sip_number,
    });
    await sleep(STEP_MS);
    const ending = to.slice(-2);
    if (ending === '01')
      return this.refuse(presence, USER_REJECTED, new Refusal(429, 'resource_exhausted', 486));
    if (ending === '04')
      return this.refuse(presence, SIP_TRUNK_FAILURE, new Refusal(412, 'failed_precondition', 500));
    await presence.setStatus('ringing');
    const ringingMs = Number(request.ringing_timeout.replace('s', '')) * 1_000;
    const waited = sleep(ending === '02' ? ringingMs : STEP_MS, 'over' as const, { ref: false });
    const isOver = (await Promise.race([waited, presence.gone])) !== 'over';
    if (ending === '02' || isOver)
      return this.refuse(presence, USER_UNAVAILABLE, new Refusal(408, 'canceled'));
    await presence.setStatus('active');
    this.answered.set(room, presence);
    return { participant_id: 'PA_1', participant_identity: identity, room_name: room, sip_call_id: 'SCL_1' };
  }

  /** Those who have answered, by room. */
  readonly answered = new Map<string, SipPresence>();

  private async refuse(presence: SipPresence, reason: number, refusal: Refusal): Promise<never> {
    await presence.leave(reason);
    throw refusal;
  }

  private async transfer({ room_name: room, transfer_to: to }: TransferRequest): Promise<object> {
    this.transfers.push(to);
    if (this.refusesRefer !== null) throw new Refusal(403, 'permission_denied', this.refusesRefer);
    await sleep(TRANSFER_MS);
    const ending = /(\d\d)@/.exec(to)?.[1];
    if (ending === '01') throw new Refusal(429, 'resource_exhausted', 486);
    if (ending === '02') throw new Refusal(429, 'resource_exhausted', 480);
    if (ending === '04') throw new Refusal(412, 'failed_precondition', 500);
    setTimeout(() => void this.answered.get(room)?.leave(CLIENT_INITIATED), TRANSFER_MS).unref();
    return { transfer_id: 'TR_1', status: 'STS_TRANSFER_SUCCESSFUL', reason: 'STR_COMPLETED' };
  }
}
