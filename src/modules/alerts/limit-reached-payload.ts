/** A limit that has refused a request. */
export interface ReachedLimit {
  readonly userId: number;
  readonly limit: string;
  /** The limit: a number of things, or US dollars. */
  readonly value: number;
  /** The assistant where it was reached. */
  readonly assistant: { readonly id: number; readonly uuid: string; readonly name: string };
  /** Whether the limit is one of the whole account. */
  readonly isOfAccount: boolean;
  readonly resetsInSeconds: number;
  /** Where the event goes; null: nowhere. */
  readonly webhookUrl: string | null;
}

/** Body of the limit-reached webhook. */
export interface LimitReachedPayload {
  readonly event: 'limit.reached';
  /** The alert's id. */
  readonly id: number;
  readonly limit: string;
  readonly value: number;
  /** The uuid of the assistant where the limit was reached. */
  readonly assistant_id: string;
  readonly assistant_name: string;
  /** `account`: the limit is one for all assistants together. */
  readonly scope: 'assistant' | 'account';
  readonly reached_at: string;
  readonly resets_at: string;
}

export function limitReachedPayload(
  alert: { readonly id: number; readonly createdAt: Date; readonly resetsAt: Date },
  { limit, value, assistant, isOfAccount }: ReachedLimit,
): LimitReachedPayload {
  return {
    event: 'limit.reached',
    id: alert.id,
    limit,
    value,
    assistant_id: assistant.uuid,
    assistant_name: assistant.name,
    scope: isOfAccount ? 'account' : 'assistant',
    reached_at: alert.createdAt.toISOString(),
    resets_at: alert.resetsAt.toISOString(),
  };
}
