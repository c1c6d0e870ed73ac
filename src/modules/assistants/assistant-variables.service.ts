import { Injectable } from '@nestjs/common';
import { byFoldedName, foldedName } from '../../runtime/variable-names.js';
import { CALL_VARIABLES, placeholdersIn } from '../../runtime/variables.js';
import { toHttpTool } from '../tools/to-http-tool.js';
import { ToolsService } from '../tools/tools.service.js';
import { AssistantsService } from './assistants.service.js';

/** Which variables an assistant needs from those who use it. */
@Injectable()
export class AssistantVariablesService {
  constructor(
    private readonly assistants: AssistantsService,
    private readonly tools: ToolsService,
  ) {}

  /**
   * The names that its prompt, its first words and its tools ask for, in this order, as they are spelled first. What the
   * platform itself gives values is left out. None for an assistant that does not exist.
   */
  async namesUsed(userId: number, assistantId: number | null): Promise<string[]> {
    const assistant = assistantId === null ? null : await this.assistants.find(userId, assistantId);
    if (!assistant) return [];
    const { system_prompt, initial_message, tools } = assistant.config;
    const httpTools = (await this.tools.findMany(userId, assistant.toolIds)).map(toHttpTool);
    const texts = JSON.stringify([system_prompt, initial_message, tools, httpTools]);
    const platform = byFoldedName(CALL_VARIABLES);
    const used = placeholdersIn(texts).filter((name) => !platform.has(foldedName(name)));
    return [...byFoldedName(used).values()];
  }
}
