import type { WebhookResponse } from '../webhooks/webhooks.service.js';

/** What a receiver of webhooks answered, as calls keep and show it. */
export function webhookResponseOf({
  kind,
  statusCode,
  responseBody,
  error,
  finishedAt,
}: WebhookResponse): Record<string, unknown> {
  return { kind, status_code: statusCode, body: responseBody, error, received_at: finishedAt.toISOString() };
}
