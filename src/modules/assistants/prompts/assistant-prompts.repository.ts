import { Injectable } from '@nestjs/common';
import { Database } from '../../../database/database.js';
import { AssistantPrompt } from './assistant-prompt.entity.js';

/** As many are shown. A few more are there until the trigger deletes them. */
const KEPT_PROMPTS = 50;

@Injectable()
export class AssistantPromptsRepository {
  constructor(private readonly database: Database) {}

  /** The newest 50, newest first; the first is the one in use. */
  listOf(userId: number, assistantId: number): Promise<AssistantPrompt[]> {
    return this.database
      .manager()
      .find(AssistantPrompt, { where: { userId, assistantId }, order: { id: 'DESC' }, take: KEPT_PROMPTS });
  }

  /** The one in use. */
  findNewest(userId: number, assistantId: number): Promise<AssistantPrompt | null> {
    return this.database
      .manager()
      .findOne(AssistantPrompt, { where: { userId, assistantId }, order: { id: 'DESC' } });
  }

  find(userId: number, assistantId: number, id: number): Promise<AssistantPrompt | null> {
    return this.database.manager().findOneBy(AssistantPrompt, { userId, assistantId, id });
  }
}
