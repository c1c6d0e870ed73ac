import { Injectable } from '@nestjs/common';
import { type LinkSignature, LinkSigner } from '../../../common/crypto/link-signer.js';
import { ServerConfig } from '../../../config/config.js';
import { publicOriginOf } from '../../../config/public-origin.js';

const HOUR_MS = 3_600_000;
/** Of a link in an answer of the API, which can be asked for again. */
export const ANSWER_LIFE_MS = 24 * HOUR_MS;
/** Of a link in a webhook, which is delivered again for days and then lies in the receiver's queue. */
export const WEBHOOK_LIFE_MS = 7 * 24 * HOUR_MS;

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
    return `/api/recordings/${callId}?${this.signer.expiringQuery(contentOf(callId), expiresAt)}`;
  }

  /** Whether a link is ours, and has not expired. */
  isGood(callId: number, link: LinkSignature, nowMs = Date.now()): boolean {
    return this.signer.isValid(contentOf(callId), link, nowMs);
  }

  /** The link for a webhook, which no request gives an address to. */
  webhookUrlOf(callId: number): string {
    return publicOriginOf(this.server) + this.linkTo(callId, WEBHOOK_LIFE_MS);
  }
}

function contentOf(callId: number): string {
  return `recording:${callId}`;
}
