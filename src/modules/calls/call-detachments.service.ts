import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  AssistantHistoriesService,
  type AssistantHistory,
} from '../assistants/deletion/assistant-histories.service.js';
import { CallsRepository } from './calls.repository.js';

/** Each is a statement of its own, because a million calls would take longer than a statement may. */
const DETACH_BATCH = 5_000;

/** Detaches calls from what is about to be deleted: they stay as the record of who was called. */
@Injectable()
export class CallDetachmentsService implements AssistantHistory, OnModuleInit {
  constructor(
    private readonly calls: CallsRepository,
    private readonly histories: AssistantHistoriesService,
  ) {}

  onModuleInit(): void {
    this.histories.add(this);
  }

  async detachCampaign(userId: number, campaignId: number): Promise<void> {
    while (await this.calls.detachSomeOfCampaign(userId, campaignId, DETACH_BATCH));
  }

  async detachAssistant(userId: number, assistantId: number): Promise<void> {
    while (await this.calls.detachSomeOfAssistant(userId, assistantId, DETACH_BATCH));
  }
}
