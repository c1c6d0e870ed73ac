import {
  BooleanField,
  EnumField,
  IntegerField,
  ObjectField,
  ObjectsField,
  StringField,
} from '../../../common/http/fields.js';
import { NamesField } from '../../../common/http/fields/list-fields.js';
import { UrlField } from '../../../common/http/fields/url-fields.js';
import { DistinctNames } from '../../../common/http/requests/distinct-names.js';
import { POST_CALL_TYPES, type PostCallField } from '../settings/assistant-config.js';
import { OPTIONAL, withDefault } from './optional-setting.js';

export class PostCallFieldRequest implements PostCallField {
  @StringField({
    min: 3,
    max: 16,
    pattern: { regex: /^[a-z0-9_]+$/, key: 'assistants.post_call_name' },
    description: 'Name of the field in the evaluation',
    example: 'recepcao',
  })
  declare name: string;

  @EnumField(POST_CALL_TYPES, { description: 'Kind' })
  declare type: PostCallField['type'];

  @StringField({
    min: 3,
    max: 255,
    description: 'What the model is to find out for this field',
    example: 'Quando o cliente pede para falar com uma pessoa',
  })
  declare description: string;
}

/** What is sent and evaluated at the end of calls and chats, and the variables of both. */
export class AssistantEventsRequest {
  @BooleanField({
    ...withDefault('is_webhook_active'),
    description: 'Whether the webhook receives events of calls',
  })
  declare is_webhook_active?: boolean | null;

  @UrlField({ ...OPTIONAL, description: 'Required when is_webhook_active is true' })
  declare webhook_url?: string | null;

  @BooleanField({
    ...withDefault('send_webhook_only_on_completed'),
    description: 'Whether calls that were not completed are left out',
  })
  declare send_webhook_only_on_completed?: boolean | null;

  @BooleanField({
    ...withDefault('include_recording_in_webhook'),
    description: 'Whether the webhook names the address of the recording',
  })
  declare include_recording_in_webhook?: boolean | null;

  @BooleanField({
    ...withDefault('post_call_evaluation'),
    description: 'Whether calls and chats are evaluated by the model at their end',
  })
  declare post_call_evaluation?: boolean | null;

  @DistinctNames('assistants.duplicate_post_call_name')
  @ObjectsField(() => PostCallFieldRequest, {
    ...OPTIONAL,
    description: 'What the evaluation is to find out',
  })
  declare post_call_schema?: PostCallFieldRequest[] | null;

  @ObjectField({ ...OPTIONAL, description: 'For use in prompts as {{name}}' })
  declare variables?: Record<string, unknown> | null;

  @NamesField({
    ...OPTIONAL,
    max: 200,
    description:
      'Variables that tools take from visitors, who may be anybody. Null: those without a value in `variables`. Other values of ' +
      'visitors stay in the prompt. Tools never take `customer_phone` from a visitor',
  })
  declare visitor_variables?: string[] | null;

  @IntegerField({
    ...withDefault('conversation_inactivity_timeout'),
    min: 1,
    max: 1440,
    description: 'Minutes',
  })
  declare conversation_inactivity_timeout?: number | null;

  @BooleanField({
    ...withDefault('conversation_ended_retrigger'),
    description: 'Whether a message reopens a conversation that has ended',
  })
  declare conversation_ended_retrigger?: boolean | null;

  @UrlField({ ...OPTIONAL, description: 'Where an event is sent when a conversation has ended' })
  declare conversation_ended_webhook_url?: string | null;

  @UrlField({
    ...OPTIONAL,
    description:
      'Asked who the caller is before a web call or a conversation begins, by one POST that is signed like webhooks. Its answer ' +
      'may give variables and the first words. Values of its query are hidden from callers without the scope `admin`',
    example: 'https://crm.example/who',
  })
  declare lookup_url?: string | null;

  @IntegerField({
    ...withDefault('lookup_timeout_ms'),
    min: 500,
    max: 7_500,
    description: 'Milliseconds that an answer of `lookup_url` is waited for; later it counts for nothing',
  })
  declare lookup_timeout_ms?: number | null;
}
