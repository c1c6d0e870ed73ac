import { Injectable } from '@nestjs/common';
import type { Tx } from '../../database/transactions.js';
import { McpToolsService } from '../mcp-servers/mcp-tools.service.js';
import { AssistantChangesService, type CreatedAssistant } from './assistant-changes.service.js';
import { AssistantKeysService } from './assistant-keys.service.js';
import { AssistantNotFoundError } from './assistants.errors.js';
import { AssistantsRepository } from './assistants.repository.js';
import { completeConfig, fieldsOf } from './settings/assistant-fields.js';
import { putKeys } from './tools/calendar-keys.js';

/** Copies assistants within an account. */
@Injectable()
export class AssistantCopiesService {
  constructor(
    private readonly assistants: AssistantsRepository,
    private readonly keys: AssistantKeysService,
    private readonly changes: AssistantChangesService,
    private readonly mcpTools: McpToolsService,
  ) {}

  /**
   * The copy has the settings and tools of the original. It is inactive and has no number, so that it does not answer by
   * itself.
   *
   * @throws AssistantNotFoundError
   * @throws ValidationFailedError when the original breaks a rule by now, of the catalogue say
   */
  async copy(userId: number, id: number, name: string): Promise<CreatedAssistant> {
    const found = (await this.assistants.findEquipped(userId, id)) ?? AssistantNotFoundError.throw();
    const { assistant, toolIds } = found;
    const fields = fieldsOf(assistant, toolIds, putKeys(assistant.config.tools, this.keys.open(assistant)));
    const copied = { ...fields, name, status: 'inactive', phone_number_id: null } as const;
    const { inbound_webhook_url: inboundWebhookUrl } = completeConfig(assistant.config);
    const copyTools = (copyId: number, tx: Tx) => this.mcpTools.copy(id, copyId, tx);
    return this.changes.create(userId, copied, copyTools, inboundWebhookUrl);
  }
}
