import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { EgressClient, type EgressResponse } from '../../common/egress/egress-client.js';
import { EgressError } from '../../common/egress/egress-error.js';
import { WebhookSecretsService } from '../webhooks/secrets/webhook-secrets.service.js';
import { signatureHeaders } from '../webhooks/secrets/webhook-signature.js';
import { faulty, type LookupQuestion, type LookupResult } from './lookup.js';
import { parseAnswer } from './lookup-answer.js';

const MAX_ANSWER_BYTES = 64 * 1024;

/** Asks the owner's server: one signed POST, which is neither redirected nor repeated. */
@Injectable()
export class LookupClientService {
  constructor(
    private readonly egress: EgressClient,
    private readonly secrets: WebhookSecretsService,
  ) {}

  async send(question: LookupQuestion): Promise<LookupResult> {
    const at = new Date();
    const body = JSON.stringify(bodyOf(question, at));
    const secrets = await this.secrets.signingSecrets(question.userId);
    const startedAt = performance.now();
    const msSince = () => Math.round(performance.now() - startedAt);
    try {
      const response = await this.egress.request({
        method: 'POST',
        url: question.url,
        headers: {
          'content-type': 'application/json',
          accept: 'application/json',
          'user-agent': 'Prosa-Lookups',
          ...signatureHeaders(`msg_${randomUUID()}`, at, body, secrets),
        },
        body,
        timeoutMs: question.timeoutMs,
        maxBytes: MAX_ANSWER_BYTES,
        whenTooLarge: 'truncate',
      });
      return { ...resultOf(response), httpStatus: response.status, ms: msSince() };
    } catch (error) {
      if (!(error instanceof EgressError)) throw error;
      return { ...failureOf(error), httpStatus: null, ms: msSince(), answer: null };
    }
  }
}

function bodyOf(question: LookupQuestion, at: Date): object {
  return {
    event: 'call.incoming',
    type: question.type,
    at: at.toISOString(),
    customer_phone: question.customerPhone,
    assistant_phone: question.assistantPhone,
    phone_number_id: question.phoneNumberId,
    assistant_id: question.assistantId,
    ...(question.type === 'conversation'
      ? { conversation_id: question.conversationId }
      : { call_id: question.callId }),
    sip_headers: question.sipHeaders,
    ...(question.isTest && { test: true }),
  };
}

type Outcome = ReturnType<typeof faulty>;

/** A redirect is no answer. What a server says with an error is not read. */
function resultOf(response: EgressResponse): Outcome {
  if (response.status < 200 || response.status > 299) return faulty('http_status');
  if (response.truncated) return faulty('too_large');
  const parsed = parseAnswer(response.bodyText);
  return 'fault' in parsed ? faulty(parsed.fault) : { status: 'ok', error: null, answer: parsed.answer };
}

function failureOf({ code }: EgressError): Pick<LookupResult, 'status' | 'error'> {
  if (code === 'timeout') return { status: 'timeout', error: null };
  return { status: 'failed', error: code === 'too-large' ? 'too_large' : 'unreachable' };
}
