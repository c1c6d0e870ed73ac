import { Injectable } from '@nestjs/common';
import type { Tx } from '../../../database/transactions.js';
import { AssistantsService } from '../../assistants/assistants.service.js';
import { type WebhookEvent, WebhooksService } from '../../webhooks/webhooks.service.js';
import { callWebhookPayload } from './call-webhook-payload.js';
import type { Call } from '../call.entity.js';
import { RecordingLinksService } from '../recordings/recording-links.service.js';
import { CallsRepository } from '../calls.repository.js';

/** Announces the ends of calls to whoever the assistant's settings name. */
@Injectable()
export class CallWebhooksService {
  constructor(
    private readonly assistants: AssistantsService,
    private readonly calls: CallsRepository,
    private readonly webhooks: WebhooksService,
    private readonly links: RecordingLinksService,
  ) {}

  /**
   * Writes the events of a call that has reached its last state, in the transaction that brings it there. False when
   * nobody wants to hear of it.
   */
  async announce(
    { userId, id, assistantId }: Pick<Call, 'userId' | 'id' | 'assistantId'>,
    tx: Tx,
  ): Promise<boolean> {
    if (assistantId === null) return false;
    const config = await this.assistants.findConfig(userId, assistantId, tx);
    if (!config) return false;
    if (!config.is_webhook_active && config.inbound_webhook_url === null) return false;
    const call = await this.calls.find(userId, id, tx);
    if (!call) return false;
    const isCompleted = call.status === 'completed';
    const postCallUrl =
      config.is_webhook_active && (isCompleted || !config.send_webhook_only_on_completed)
        ? config.webhook_url
        : null;
    const inboundUrl = call.type === 'inbound' && isCompleted ? config.inbound_webhook_url : null;
    if (postCallUrl === null && inboundUrl === null) return false;
    const origin = await this.calls.originOf(call, tx);
    const payload = callWebhookPayload(call, origin, this.recordingOf(call, config));
    const event = { userId, assistantId, subjectId: String(id), payload };
    await this.enqueue({ ...event, kind: 'post-call' }, postCallUrl, tx);
    await this.enqueue({ ...event, kind: 'inbound' }, inboundUrl, tx);
    return true;
  }

  /** To be called after the commit. */
  wake(): void {
    this.webhooks.wake();
  }

  private recordingOf(
    { id, recordingEnabled, recordingKey }: Call,
    config: { readonly include_recording_in_webhook: boolean },
  ): { readonly url: string | null } | null {
    if (!config.include_recording_in_webhook) return null;
    return { url: recordingEnabled && recordingKey !== null ? this.links.webhookUrlOf(id) : null };
  }

  private async enqueue(event: Omit<WebhookEvent, 'url'>, url: string | null, tx: Tx): Promise<void> {
    if (url !== null) await this.webhooks.enqueue({ ...event, url }, tx);
  }
}
