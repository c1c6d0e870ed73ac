import { Controller, Get, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ForUser } from '../../../common/auth/guards.js';
import { Caller, type Principal } from '../../../common/auth/principal.js';
import { ApiDataList, ApiReply } from '../../../common/http/api-docs.js';
import { IdParam } from '../../../common/http/id-param.js';
import { reply } from '../../../common/http/reply.js';
import { AssistantPromptsService } from './assistant-prompts.service.js';
import { AssistantPromptResponse, toPromptResponses } from '../dto/assistant-prompt.response.js';
import { AssistantSummaryResponse, toAssistantSummary } from '../dto/assistant.response.js';

@ApiTags('Assistants')
@ForUser()
@Controller('user/assistant/:id/prompts')
export class AssistantPromptsController {
  constructor(private readonly prompts: AssistantPromptsService) {}

  @Get()
  @ApiOperation({
    operationId: 'listAssistantPrompts',
    summary: 'List the prompts an assistant has had: the newest 50, the one in use first',
  })
  @ApiDataList(AssistantPromptResponse)
  async list(@Caller() { userId }: Principal, @IdParam() id: number) {
    return { data: toPromptResponses(await this.prompts.list(userId, id)) };
  }

  @Post(':promptId/restore')
  @ApiOperation({
    operationId: 'restoreAssistantPrompt',
    summary: 'Use an earlier prompt again; it becomes the newest version',
  })
  @ApiReply(AssistantSummaryResponse)
  async restore(
    @Caller() { userId }: Principal,
    @IdParam() id: number,
    @IdParam('promptId') promptId: number,
  ) {
    return reply('assistants.updated', toAssistantSummary(await this.prompts.restore(userId, id, promptId)));
  }
}
