import { Injectable } from '@nestjs/common';
import type { Tx } from '../../database/transactions.js';
import type { AssistantConfig } from '../assistants/settings/assistant-config.js';
import { AssistantsService } from '../assistants/assistants.service.js';
import { type WebhookEvent, WebhooksService } from '../webhooks/webhooks.service.js';
import type { EndedCall } from '../active-calls/running-call.js';
import { callWebhookPayload } from './call-webhook-payload.js';
import type { StoredCall } from '../calls/call-facts.js';
import { RecordingLinksService } from '../calls/recordings/recording-links.service.js';
import { CallsService } from '../calls/calls.service.js';

/** Announces the ends of calls to the receivers that the assistant's settings name. */
@Injectable()
export class CallWebhooksService {
  constructor(
    private readonly assistants: AssistantsService,
    private readonly calls: CallsService,
    private readonly webhooks: WebhooksService,
    private readonly links: RecordingLinksService,
  ) {}

  /**
   * Writes the events of a call that has reached its last state, in the transaction that brings it there. False when
   * no receiver wants it.
   */
  async announce(
    { userId, id, assistantId }: Pick<StoredCall, 'userId' | 'id' | 'assistantId'>,
    { isEndWanted }: EndedCall,
    tx: Tx,
  ): Promise<boolean> {
    const config = assistantId === null ? null : await this.assistants.findConfig(userId, assistantId, tx);
    const isAskedFor = config && (config.is_webhook_active || config.inbound_webhook_url !== null);
    if (!isAskedFor && !isEndWanted) return false;
    const found = await this.calls.findWithOrigin(userId, id, tx);
    if (!found) return false;
    const { call, origin } = found;
    const { postCallUrl, inboundUrl } = urlsFor(call, config);
    if (postCallUrl === null && inboundUrl === null && !isEndWanted) return false;
    const payload = callWebhookPayload(call, origin, this.recordingOf(call, config));
    const subjectId = String(id);
    const event = { userId, assistantId, subjectId, payload };
    await this.enqueue({ ...event, kind: 'post-call' }, postCallUrl, tx);
    await this.enqueue({ ...event, kind: 'inbound' }, inboundUrl, tx);
    if (isEndWanted) {
      await this.webhooks.publish({ userId, kind: 'call.ended', subjectId, data: payload }, tx);
    }
    return true;
  }

  /** To be called after the commit. */
  wake(): void {
    this.webhooks.wake();
  }

  /** The same where only triggers may have written something. */
  wakeFor(userId: number): void {
    this.webhooks.wakeFor(userId);
  }

  private recordingOf(
    { id, recordingEnabled, recordingKey }: StoredCall,
    config: Pick<AssistantConfig, 'include_recording_in_webhook'> | null,
  ): { readonly url: string | null } | null {
    if (config && !config.include_recording_in_webhook) return null;
    return { url: recordingEnabled && recordingKey !== null ? this.links.webhookUrlOf(id) : null };
  }

  private async enqueue(event: Omit<WebhookEvent, 'url'>, url: string | null, tx: Tx): Promise<void> {
    if (url !== null) await this.webhooks.enqueue({ ...event, url }, tx);
  }
}

type WebhookConfig = Pick<
  AssistantConfig,
  'is_webhook_active' | 'webhook_url' | 'inbound_webhook_url' | 'send_webhook_only_on_completed'
>;

/** Where the assistant's settings send the end of a call. */
function urlsFor(
  { status, type }: StoredCall,
  config: WebhookConfig | null,
): { readonly postCallUrl: string | null; readonly inboundUrl: string | null } {
  const isCompleted = status === 'completed';
  const isWanted = config?.is_webhook_active && (isCompleted || !config.send_webhook_only_on_completed);
  return {
    postCallUrl: isWanted ? config.webhook_url : null,
    inboundUrl: config && type === 'inbound' && isCompleted ? config.inbound_webhook_url : null,
  };
}
