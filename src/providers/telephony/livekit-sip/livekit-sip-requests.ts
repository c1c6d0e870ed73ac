import { z } from 'zod';
import type { TransferOutcome } from '../call/carrier-call.js';
import { CallCarrierError } from '../call-carrier-error.js';
import { type LiveKitApi, LiveKitApiError } from '../livekit/livekit-api.js';
import { transferOutcomeOfStatus } from '../sip/carrier/carrier-end.js';
import type { SrtpPolicy } from '@prosa/sip';
import { CALLEE } from './callee-room.js';

/** LiveKit's server answers after 80 s at the latest (`CreateSIPParticipant` in its `pkg/service/sip.go`). */
export const MAX_RINGING_MS = 75_000;
/** For the answer to come when the ringing is over. */
const SLACK_MS = 10_000;

/** `SIPTransport` and `SIPMediaEncryption` of livekit_sip.proto. */
const TRANSPORTS = { udp: 'SIP_TRANSPORT_UDP', tcp: 'SIP_TRANSPORT_TCP', tls: 'SIP_TRANSPORT_TLS' } as const;
const ENCRYPTION = {
  off: 'SIP_MEDIA_ENCRYPT_DISABLE',
  optional: 'SIP_MEDIA_ENCRYPT_ALLOW',
  required: 'SIP_MEDIA_ENCRYPT_REQUIRE',
} as const;

/** `TransferSIPParticipantResponse`; servers before 1.13 answer with nothing in it once the transfer is done. */
const transferred = z.object({
  status: z.string().optional(),
  reason: z.string().optional(),
});

/** Where a call goes, and by which name and password. */
export interface SipDestination {
  readonly host: string;
  readonly port: number | null;
  readonly protocol: 'udp' | 'tcp' | 'tls' | null;
  /** Null: without a login. */
  readonly credentials: { readonly username: string; readonly password: string } | null;
  readonly srtp: SrtpPolicy;
  /** As the operator wants it written. */
  readonly user: string;
}

/** What is asked of LiveKit's SIP service. */
export class LiveKitSipRequests {
  constructor(private readonly api: LiveKitApi) {}

  /**
   * Calls a number into a room, and waits until it is answered. Login and address are sent with each call, so that
   * the server stores no trunks of ours.
   *
   * @throws LiveKitApiError when they do not answer, or were not called
   */
  async call(
    room: string,
    from: string,
    { host, port, protocol, credentials, srtp, user }: SipDestination,
    ringingTimeoutMs: number,
  ): Promise<void> {
    const ringingMs = Math.min(ringingTimeoutMs, MAX_RINGING_MS);
    const name = host.includes(':') ? `[${host}]` : host;
    const body = {
      trunk: {
        hostname: port === null ? name : `${name}:${port}`,
        ...(protocol && { transport: TRANSPORTS[protocol] }),
        ...(credentials && { auth_username: credentials.username, auth_password: credentials.password }),
      },
      sip_number: from,
      sip_call_to: user,
      room_name: room,
      participant_identity: CALLEE,
      // Else it is named by its number.
      participant_name: CALLEE,
      ringing_timeout: durationOf(ringingMs),
      media_encryption: ENCRYPTION[srtp],
      wait_until_answered: true,
    };
    await this.api.ask('SIP', 'CreateSIPParticipant', { sip: { call: true } }, body, ringingMs + SLACK_MS);
  }

  /**
   * Has the far end call a third party (REFER), and waits for the outcome.
   *
   * @param to a SIP URI
   * @throws LiveKitApiError
   */
  async transfer(room: string, to: string, ringingTimeoutMs: number): Promise<TransferOutcome> {
    const body = {
      participant_identity: CALLEE,
      room_name: room,
      transfer_to: to,
      ringing_timeout: durationOf(ringingTimeoutMs),
    };
    const grants = { sip: { call: true }, video: { roomAdmin: true, room } } as const;
    const timeoutMs = ringingTimeoutMs + SLACK_MS;
    const { status, reason } = transferred.parse(
      await this.api.ask('SIP', 'TransferSIPParticipant', grants, body, timeoutMs),
    );
    if (status !== 'STS_TRANSFER_FAILED') return 'answered';
    return reason === 'STR_RINGING_TIMEOUT' ? 'no-answer' : 'failed';
  }
}

/** What a transfer that failed means; null where the far end does not transfer at all. */
export function transferOutcomeOf(error: LiveKitApiError): TransferOutcome | null {
  const { sipStatus, code } = error;
  if (sipStatus !== null) return NO_REFER.has(sipStatus) ? null : transferOutcomeOfStatus(sipStatus);
  if (code === 'deadline_exceeded' || code === 'canceled') return 'no-answer';
  return code === 'lost' ? 'failed' : null;
}

/** Forbidden, not allowed, bad extension, bad event, not implemented. */
const NO_REFER: ReadonlySet<number> = new Set([400, 403, 405, 420, 489, 501]);

/** Why no call was placed, or `maybe` where that is unknown; null where it was placed: a SIP peer has answered. */
export function toRejection(error: LiveKitApiError): CallCarrierError | null {
  if (error.sipStatus !== null) return null;
  const options = { cause: error };
  switch (error.code) {
    case 'unsent':
    // No SIP service is there, or none takes a call now.
    case 'unavailable':
    // A mended key or a restarted service can place the call: this error is no verdict on the call.
    case 'unauthenticated':
    case 'permission_denied':
    case 'unimplemented':
    case 'bad_route':
      return new CallCarrierError('unavailable', 'no', options);
    case 'resource_exhausted':
      return new CallCarrierError('rate-limited', 'no', options);
    case 'invalid_argument':
    case 'malformed':
    case 'not_found':
      return new CallCarrierError('rejected', 'no', options);
    case 'deadline_exceeded':
      return new CallCarrierError('timeout', 'maybe', options);
    default:
      return new CallCarrierError('unavailable', 'maybe', options);
  }
}

/** `google.protobuf.Duration` in JSON. */
function durationOf(ms: number): string {
  return `${(ms / 1_000).toFixed(3)}s`;
}
