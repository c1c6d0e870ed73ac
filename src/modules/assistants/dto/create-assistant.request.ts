import { IntersectionType } from '@nestjs/swagger';
import { EnumField, IdField, StringField } from '../../../common/http/fields.js';
import { IdsField } from '../../../common/http/fields/list-fields.js';
import { TimeZoneField } from '../../../common/http/fields/time-fields.js';
import { ENGINE_MODES, type EngineMode } from '../../catalog/catalog-schema.js';
import { ASSISTANT_TYPES, type AssistantType } from '../settings/assistant-config.js';
import { AssistantModelsRequest } from './assistant-models.request.js';
import { AssistantVoiceRequest } from './assistant-voice.request.js';
import { AssistantCallsRequest } from './assistant-calls.request.js';
import { AssistantEventsRequest } from './assistant-events.request.js';
import { AssistantVisitorsRequest } from './assistant-visitors.request.js';
import { OPTIONAL } from './optional-setting.js';

const MAX_PROMPT = 100_000;

/** What every assistant has. */
class AssistantIdentityRequest {
  @StringField({ max: 255, example: 'Reception', description: 'Name, for people' })
  declare name: string;

  @IdField({ description: 'A voice compatible with the mode and offered for the language' })
  declare voice_id: number;

  @IdField({ description: 'Language the assistant speaks, from the list of languages' })
  declare language_id: number;

  @EnumField(ASSISTANT_TYPES, { description: 'Whether the assistant is called or calls' })
  declare type: AssistantType;

  @EnumField(ENGINE_MODES, { description: 'Engine: models in a row, one multimodal model, or both' })
  declare mode: EngineMode;

  @TimeZoneField({ description: 'IANA name of the time zone' })
  declare timezone: string;

  @StringField({
    max: 200,
    example: 'Olá! Como posso ajudar?',
    description: 'First words of the assistant; may use variables as {{name}}',
  })
  declare initial_message: string;

  @StringField({
    max: MAX_PROMPT,
    description: 'May use variables as {{name}}',
    example: 'Você atende os clientes da Padaria Central.',
  })
  declare system_prompt: string;
}

/** Where people find the assistant. */
class AssistantFilingRequest {
  @IdField({ ...OPTIONAL, description: 'A folder of the account' })
  declare folder_id?: number | null;

  @IdsField({ ...OPTIONAL, description: 'Labels of the account' })
  declare label_ids?: number[] | null;
}

/** In the order in which the fields are documented, and named in errors. */
export class CreateAssistantRequest extends IntersectionType(
  AssistantIdentityRequest,
  AssistantModelsRequest,
  AssistantVoiceRequest,
  AssistantCallsRequest,
  AssistantEventsRequest,
  AssistantVisitorsRequest,
  AssistantFilingRequest,
) {}
