import { EnumField, IntegerQuery } from '../../../common/http/fields.js';
import { PageQuery } from '../../../common/http/page.js';
import { ASSISTANT_TYPES, type AssistantType } from '../settings/assistant-config.js';

export class AssistantsQuery extends PageQuery {
  @IntegerQuery({ min: 1, max: 100, default: 10 })
  declare per_page?: number;

  @EnumField(ASSISTANT_TYPES, { optional: true, description: 'Only those of this kind' })
  declare type?: AssistantType;
}

export class AssistantNumbersQuery {
  @EnumField(ASSISTANT_TYPES, {
    optional: true,
    description: 'inbound leaves out Caller IDs and numbers on another inbound assistant',
  })
  declare type?: AssistantType;
}
