import { PartialType } from '@nestjs/swagger';
import { EnumField } from '../../../common/http/fields.js';
import { ASSISTANT_STATUSES, type AssistantStatus } from '../settings/assistant-config.js';
import { CreateAssistantRequest } from './create-assistant.request.js';

/** All optional; null clears, and lists replace what was there. */
export class UpdateAssistantRequest extends PartialType(CreateAssistantRequest, {
  skipNullProperties: false,
}) {
  @EnumField(ASSISTANT_STATUSES, {
    optional: true,
    description: '`active` answers inbound calls, runs campaigns and takes over by hand-over',
  })
  declare status?: AssistantStatus;
}
