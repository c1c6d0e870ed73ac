import { Injectable } from '@nestjs/common';
import { LinkSigner } from '../../../common/crypto/link-signer.js';
import { ServerConfig } from '../../../config/config.js';
import { publicOriginOf } from '../../../config/public-origin.js';

const HOUR_MS = 3_600_000;
/** Of a link in an answer of the API, which can be asked for again. */
export const ANSWER_LIFE_MS = 24 * HOUR_MS;
/** Of a link in a webhook, which is delivered again for days and then lies in the receiver's queue. */
export const WEBHOOK_LIFE_MS = 7 * 24 * HOUR_MS;

/** What a link contains in addition to the call. */
export interface LinkSignature {
  /** Seconds since 1970. */
  readonly expires: string;
  readonly signature: string;
}

/** Links to recordings that need no other token, and expire. */
@Injectable()
export class RecordingLinksService {
  constructor(
    private readonly signer: LinkSigner,
    private readonly server: ServerConfig,
  ) {}

  /** Path and query of a link. It is the same for an hour, so that what has it can be compared and cached. */
  linkTo(callId: number, lifeMs: number, nowMs = Date.now()): string {
    const expiresAt = Math.ceil((nowMs + lifeMs) / HOUR_MS) * (HOUR_MS / 1_000);
    const signature = this.signer.sign(contentOf(callId, expiresAt));
    return `/api/recordings/${callId}?expires=${expiresAt}&signature=${signature}`;
  }

  /** Whether a link is ours, and has not expired. */
  isGood(callId: number, { expires, signature }: LinkSignature, nowMs = Date.now()): boolean {
    if (!/^\d{1,12}$/.test(expires) || Number(expires) * 1_000 <= nowMs) return false;
    return this.signer.isSigned(contentOf(callId, Number(expires)), signature);
  }

  /** The link for a webhook, which no request gives an address to. */
  webhookUrlOf(callId: number): string {
    return publicOriginOf(this.server) + this.linkTo(callId, WEBHOOK_LIFE_MS);
  }
}

function contentOf(callId: number, expiresAt: number): string {
  return `recording:${callId}:${expiresAt}`;
}
