import type { CallOrigin, StoredCall } from '../calls/call-facts.js';

type Facts = Readonly<Record<string, unknown>>;

/** Body of the post-call and of the inbound webhook. */
export interface CallWebhookPayload {
  readonly id: number;
  /** E.164; null on the web, as is the next. */
  readonly customer_phone: string | null;
  readonly assistant_phone: string | null;
  /** Seconds. */
  readonly duration: number;
  readonly status: string;
  /** The evaluation: `status`, `summary` and the fields of the post-call schema. */
  readonly extracted_variables: Facts;
  readonly input_variables: Facts;
  readonly transcript: string;
  /** Only where the assistant sends recordings. */
  readonly recording_url?: string | null;
  /** ISO 8601, as is the next. */
  readonly created_at: string;
  readonly finished_at: string;
  readonly lead: Facts | null;
  readonly campaign: Facts | null;
}

/** @param recording null where the assistant sends none */
export function callWebhookPayload(
  call: StoredCall,
  { lead, campaign }: CallOrigin,
  recording: { readonly url: string | null } | null,
): CallWebhookPayload {
  return {
    id: call.id,
    customer_phone: call.clientPhoneNumber,
    assistant_phone: call.assistantPhoneNumber,
    duration: call.durationSeconds,
    status: call.status,
    extracted_variables: call.evaluation,
    input_variables: call.inputVariables,
    transcript: call.transcript,
    ...(recording ? { recording_url: recording.url } : {}),
    created_at: call.createdAt.toISOString(),
    finished_at: call.updatedAt.toISOString(),
    lead,
    campaign,
  };
}
