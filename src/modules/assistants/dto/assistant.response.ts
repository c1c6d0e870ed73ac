import { ApiProperty } from '@nestjs/swagger';
import { FreeObject, NullableText, NumberedResponse } from '../../../common/http/response-fields.js';
import type { Principal } from '../../../common/auth/principal.js';
import { shownUrl } from '../../../common/auth/shown-url.js';
import { masked } from '../../../common/text/masked.js';
import { say } from '../../../i18n/catalogue.js';
import { ENGINE_MODES } from '../../catalog/catalog-schema.js';
import { ASSISTANT_STATUSES, ASSISTANT_TYPES } from '../settings/assistant-config.js';
import type { AssistantDetails } from '../assistant-details.js';
import type { AssistantNumber } from '../numbers/assistant-numbers.service.js';
import type { BuiltInTool } from '../tools/built-in-tool.js';
import { CreateAssistantRequest } from './create-assistant.request.js';

/** What a write answers. */
export class AssistantSummaryResponse extends NumberedResponse {
  @ApiProperty({ description: 'Name, for people', example: 'recepcao' })
  declare name: string;

  @ApiProperty({ enum: ASSISTANT_STATUSES, description: 'State' })
  declare status: string;

  @ApiProperty({ enum: ASSISTANT_TYPES, description: 'Kind' })
  declare type: string;

  @ApiProperty({ enum: ENGINE_MODES, description: 'Engine: models in a row, one multimodal model, or both' })
  declare mode: string;
}

/** An assistant is read in the form it is written, so that what was read can be sent back; and a little more. */
export class AssistantResponse extends CreateAssistantRequest {
  @ApiProperty({ type: 'integer', description: 'Identifier' })
  declare id: number;

  @ApiProperty({ format: 'uuid', description: 'The assistant_id of conversations' })
  declare uuid: string;

  @ApiProperty({ type: 'integer', description: 'Id of the account' })
  declare user_id: number;

  @ApiProperty({
    enum: ASSISTANT_STATUSES,
    description: '`active` answers inbound calls, runs campaigns and takes over by hand-over',
  })
  declare status: string;

  @NullableText({ example: 'pt', description: 'ISO 639-1 code of the language' })
  declare language: string | null;

  @NullableText({
    description:
      'Receives an event for each completed inbound call; null when switched off. Values of its query are hidden from callers without the scope `admin`',
    example: 'https://example.com/hooks/inbound',
  })
  declare inbound_webhook_url: string | null;

  @ApiProperty({ format: 'date-time', description: 'When it was made, ISO 8601 in UTC' })
  declare created_at: string;

  @ApiProperty({ format: 'date-time', description: 'When it was changed last, ISO 8601 in UTC' })
  declare updated_at: string;
}

export class OutboundAssistantResponse extends AssistantSummaryResponse {
  @ApiProperty({ type: 'integer', description: 'Id of the account' })
  declare user_id: number;

  @ApiProperty({ type: 'integer', description: 'Voice of the assistant, from the list of voices' })
  declare voice_id: number;

  @ApiProperty({ type: 'integer', description: 'Language the assistant speaks, from the list of languages' })
  declare language_id: number;

  @ApiProperty({ description: 'IANA name of the time zone', example: 'America/Sao_Paulo' })
  declare timezone: string;

  @ApiProperty({
    description: 'First words of the assistant; may use variables as {{name}}',
    example: 'Olá! Como posso ajudar?',
  })
  declare initial_message: string;

  @ApiProperty({
    description: 'Instructions of the assistant; may use variables as {{name}}',
    example: 'Você atende os clientes da Padaria Central.',
  })
  declare system_prompt: string;

  @FreeObject({ description: 'Values for {{name}} in the texts of the assistant' })
  declare variables: Readonly<Record<string, unknown>>;

  @NullableText({
    description:
      'Address that events are posted to; values of its query are hidden from callers without the scope `admin`',
    example: 'https://example.com/hooks/prosa',
  })
  declare webhook_url: string | null;

  @ApiProperty({ description: 'Whether the webhook receives events of calls' })
  declare is_webhook_active: boolean;

  @ApiProperty({ format: 'date-time', description: 'When it was made, ISO 8601 in UTC' })
  declare created_at: string;

  @ApiProperty({ format: 'date-time', description: 'When it was changed last, ISO 8601 in UTC' })
  declare updated_at: string;
}

export class AssistantNumberResponse extends NumberedResponse {
  @ApiProperty({ example: '+5511987654321', description: 'International form, with a leading plus sign' })
  declare phone_number: string;

  @ApiProperty({ example: 'BR', description: 'ISO 3166 code of two letters' })
  declare country_code: string;

  @ApiProperty({ description: 'The kind in words for people', example: 'Número dedicado' })
  declare type_label: string;

  @ApiProperty({
    description:
      'Whether an assistant of the type that was asked for can have it; of the type inbound where none was',
  })
  declare is_available: boolean;
}

type Summary = Pick<AssistantDetails, 'id' | 'name' | 'status' | 'type' | 'mode'>;

export function toAssistantSummary({ id, name, status, type, mode }: Summary) {
  return { id, name, status, type, mode };
}

export function toAssistantResponse(assistant: AssistantDetails, caller: Principal) {
  const { config } = assistant;
  return {
    ...toAssistantSummary(assistant),
    uuid: assistant.uuid,
    activates_by_use: assistant.activatesByUse,
    user_id: assistant.userId,
    language: assistant.language?.iso_2 ?? null,
    language_id: assistant.languageId,
    voice_id: assistant.voiceId,
    llm_model_id: assistant.llmModelId,
    multimodal_model_id: assistant.multimodalModelId,
    knowledgebase_id: assistant.knowledgebaseId,
    phone_number_id: assistant.phoneNumberId,
    folder_id: assistant.folderId,
    label_ids: assistant.labelIds,
    tool_ids: assistant.toolIds,
    ...config,
    webhook_url: shownUrl(config.webhook_url, caller),
    inbound_webhook_url: shownUrl(config.inbound_webhook_url, caller),
    conversation_ended_webhook_url: shownUrl(config.conversation_ended_webhook_url, caller),
    lookup_url: shownUrl(config.lookup_url, caller),
    tools: config.tools.map(withMaskedKey),
    created_at: assistant.createdAt.toISOString(),
    updated_at: assistant.updatedAt.toISOString(),
  };
}

export function toOutboundAssistantResponse(
  assistant: AssistantDetails,
  caller: Principal,
): OutboundAssistantResponse {
  const { config } = assistant;
  return {
    ...toAssistantSummary(assistant),
    user_id: assistant.userId,
    voice_id: assistant.voiceId,
    language_id: assistant.languageId,
    timezone: config.timezone,
    initial_message: config.initial_message,
    system_prompt: config.system_prompt,
    variables: config.variables,
    webhook_url: shownUrl(config.webhook_url, caller),
    is_webhook_active: config.is_webhook_active,
    created_at: assistant.createdAt.toISOString(),
    updated_at: assistant.updatedAt.toISOString(),
  };
}

export function toAssistantNumberResponse(number: AssistantNumber): AssistantNumberResponse {
  return {
    id: number.id,
    phone_number: number.phoneNumber,
    country_code: number.countryCode,
    type_label: say(`phone_numbers.type_${number.type}`),
    is_available: number.isAvailable,
  };
}

function withMaskedKey(tool: BuiltInTool): BuiltInTool {
  return tool.type === 'calendar_integration'
    ? { ...tool, extcal_api_key: masked(tool.extcal_api_key) }
    : tool;
}
