import { Injectable } from '@nestjs/common';
import { parseRetryAfterMs } from '../../../common/http/retry-after.js';
import { EgressClient } from '../../../common/egress/egress-client.js';
import { EgressError } from '../../../common/egress/egress-error.js';
import { storableText } from '../../../common/text/storable-text.js';
import { WebhooksConfig } from '../../../config/config.js';
import { receivedBody } from './received-body.js';
import type { AttemptOutcome, ClaimedDelivery } from './webhook-queue.repository.js';
import { SubscriptionSecretsService } from '../subscriptions/subscription-secrets.service.js';
import { WebhookSecretsService } from '../secrets/webhook-secrets.service.js';
import { signatureHeaders } from '../secrets/webhook-signature.js';

const MAX_RESPONSE_BYTES = 20_000;
/** Room for the piece in which the kept bytes end. */
const MAX_READ_BYTES = 1024 * 1024;
/** How long the body of an answer is waited for once its status has come. */
const MAX_BODY_MS = 2_000;

/** Makes one try: a signed POST, which is not redirected and not repeated. */
@Injectable()
export class WebhookSenderService {
  constructor(
    private readonly egress: EgressClient,
    private readonly secrets: WebhookSecretsService,
    private readonly subscriptionSecrets: SubscriptionSecretsService,
    private readonly config: WebhooksConfig,
  ) {}

  /**
   * The outcome; null when this process stops before the end of the attempt, or when the subscription is gone, and
   * the delivery with it.
   */
  async send(delivery: ClaimedDelivery): Promise<AttemptOutcome | null> {
    const { url, eventId, body } = delivery;
    const secrets = await this.secretsOf(delivery);
    if (!secrets) return null;
    const sentAt = new Date();
    const startedAt = performance.now();
    const bodyTime = new AbortController();
    try {
      const answer = await this.egress.open({
        method: 'POST',
        url,
        headers: {
          'content-type': 'application/json',
          'user-agent': 'Prosa-Webhooks',
          ...signatureHeaders(eventId, sentAt, body, secrets),
        },
        body,
        timeoutMs: this.config.timeoutMs,
        maxBytes: MAX_READ_BYTES,
        signal: bodyTime.signal,
      });
      // The status decides: a receiver that never ends its body has the event all the same.
      const timer = setTimeout(() => bodyTime.abort(), MAX_BODY_MS);
      const text = await receivedBody(answer, MAX_RESPONSE_BYTES).finally(() => clearTimeout(timer));
      return {
        statusCode: answer.status,
        error: null,
        durationMs: Math.round(performance.now() - startedAt),
        responseBody: storable(text),
        retryAfterMs: parseRetryAfterMs(answer.headers['retry-after'], new Date()),
      };
    } catch (error) {
      if (!(error instanceof EgressError)) throw error;
      if (error.code === 'aborted') return null;
      const durationMs = Math.round(performance.now() - startedAt);
      return { statusCode: null, error: error.code, durationMs, responseBody: null, retryAfterMs: null };
    }
  }

  private async secretsOf({ userId, subscriptionId }: ClaimedDelivery): Promise<string[] | null> {
    return subscriptionId === null
      ? this.secrets.signingSecrets(userId)
      : this.subscriptionSecrets.signingSecrets(userId, subscriptionId);
  }
}

/** A charset may make more of the bytes than were let in. */
function storable(text: string): string {
  return storableText(text.slice(0, MAX_RESPONSE_BYTES));
}
