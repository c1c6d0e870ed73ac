import { Injectable } from '@nestjs/common';
import type { AssistantPrompt } from './assistant-prompt.entity.js';
import { AssistantPromptsRepository } from './assistant-prompts.repository.js';
import type { Assistant } from '../assistant.entity.js';
import { AssistantNotFoundError, PromptNotFoundError } from '../assistants.errors.js';
import { AssistantChangesService } from '../assistant-changes.service.js';
import { AssistantsService } from '../assistants.service.js';

/** A prompt as other modules know it. */
export interface PromptVersion {
  /** Null for a prompt that is kept nowhere. */
  readonly id: number | null;
  readonly systemPrompt: string;
}

/** The prompts that an assistant has had. */
@Injectable()
export class AssistantPromptsService {
  constructor(
    private readonly prompts: AssistantPromptsRepository,
    private readonly assistants: AssistantsService,
    private readonly changes: AssistantChangesService,
  ) {}

  /** The newest 50, the one in use first. @throws AssistantNotFoundError */
  async list(userId: number, assistantId: number): Promise<AssistantPrompt[]> {
    if (!(await this.assistants.findConfig(userId, assistantId))) throw new AssistantNotFoundError();
    return this.prompts.listOf(userId, assistantId);
  }

  /** The prompt in use. @throws AssistantNotFoundError */
  async current(userId: number, assistantId: number): Promise<PromptVersion> {
    const config = (await this.assistants.findConfig(userId, assistantId)) ?? AssistantNotFoundError.throw();
    const newest = await this.prompts.findNewest(userId, assistantId);
    return newest ?? { id: null, systemPrompt: config.system_prompt };
  }

  /** One that it has had; null when there is none of this id. */
  find(userId: number, assistantId: number, id: number): Promise<PromptVersion | null> {
    return this.prompts.find(userId, assistantId, id);
  }

  /**
   * Puts an earlier prompt in use again, as a new version.
   *
   * @throws AssistantNotFoundError | PromptNotFoundError
   */
  async restore(userId: number, assistantId: number, id: number): Promise<Assistant> {
    if (!(await this.assistants.findConfig(userId, assistantId))) throw new AssistantNotFoundError();
    const prompt = (await this.prompts.find(userId, assistantId, id)) ?? PromptNotFoundError.throw();
    return this.changes.update(userId, assistantId, { system_prompt: prompt.systemPrompt });
  }
}
