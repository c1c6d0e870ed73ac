import { ApiProperty } from '@nestjs/swagger';
import { NumberedResponse } from '../../../common/http/response-fields.js';
import type { AssistantPrompt } from '../prompts/assistant-prompt.entity.js';

export class AssistantPromptResponse extends NumberedResponse {
  @ApiProperty({ description: 'As it was', example: 'Você atende os clientes da Padaria Central.' })
  declare system_prompt: string;

  @ApiProperty({ description: 'Whether it is in use' })
  declare is_current: boolean;

  @ApiProperty({ format: 'date-time', description: 'Since when it was in use' })
  declare created_at: string;
}

/** @param prompts the newest first */
export function toPromptResponses(prompts: readonly AssistantPrompt[]): AssistantPromptResponse[] {
  return prompts.map(({ id, systemPrompt, createdAt }, index) => ({
    id,
    system_prompt: systemPrompt,
    is_current: index === 0,
    created_at: createdAt.toISOString(),
  }));
}
