import {
  BooleanField,
  EnumField,
  IntegerField,
  NumberField,
  StringField,
} from '../../../common/http/fields.js';
import { OriginsField } from '../../../common/http/fields/url-fields.js';
import { WIDGET_POSITIONS, type WidgetPosition } from '../settings/assistant-config.js';
import { OPTIONAL, withDefault } from './optional-setting.js';

const VISITOR_RANGE = { min: 0, max: 1_000_000 } as const;
const BY_DEFAULT = 'Null: as the installation says';

/** What visitors of a site may do, and how the chat on a page looks. */
export class AssistantVisitorsRequest {
  @IntegerField({
    ...OPTIONAL,
    ...VISITOR_RANGE,
    description: `Conversations that visitors may open. ${BY_DEFAULT}`,
  })
  declare visitor_conversations_per_hour?: number | null;

  @IntegerField({
    ...OPTIONAL,
    ...VISITOR_RANGE,
    description: `Conversations that visitors of one address may open. ${BY_DEFAULT}`,
  })
  declare visitor_conversations_per_address_per_hour?: number | null;

  @IntegerField({ ...OPTIONAL, ...VISITOR_RANGE, description: `Messages of visitors. ${BY_DEFAULT}` })
  declare visitor_messages_per_hour?: number | null;

  @NumberField({
    ...OPTIONAL,
    min: 0,
    max: 1_000_000,
    description: `US dollars that visitors may spend a day (UTC). ${BY_DEFAULT}`,
  })
  declare visitor_daily_spend?: number | null;

  @OriginsField({
    ...OPTIONAL,
    description:
      'Pages that may chat, such as https://shop.example; empty: any. It stops browsers, not programs',
  })
  declare allowed_origins?: string[] | null;

  @BooleanField({
    ...withDefault('challenge_required'),
    description: 'Visitors solve a challenge before they open a conversation',
  })
  declare challenge_required?: boolean | null;

  @BooleanField({
    ...withDefault('activates_by_use'),
    description:
      'Whether the first use makes an inactive assistant active: a campaign of it starts, another assistant hands over to it, or ' +
      'its number is called. A change of `status` from `active` to `inactive` sets it to false, and one to `active` to true',
  })
  declare activates_by_use?: boolean | null;

  @BooleanField({
    ...withDefault('web_chat_enabled'),
    description:
      'Whether visitors of the site reach the assistant, by chat or by voice. Open conversations continue to their end',
  })
  declare web_chat_enabled?: boolean | null;

  @BooleanField({
    ...withDefault('visitor_calls_enabled'),
    description: 'Visitors may call the assistant from a browser, by voice',
  })
  declare visitor_calls_enabled?: boolean | null;

  @StringField({
    ...OPTIONAL,
    max: 60,
    description: 'The heading of the chat on a page',
    example: 'Padaria Central',
  })
  declare widget_title?: string | null;

  @StringField({
    ...OPTIONAL,
    pattern: { regex: /^#[0-9a-fA-F]{6}$/, key: 'validation.format' },
    description: 'The colour of the chat on a page',
    example: '#1c7ed6',
  })
  declare widget_color?: string | null;

  @EnumField(WIDGET_POSITIONS, {
    ...withDefault('widget_position'),
    description: 'In which corner of a page the chat is',
  })
  declare widget_position?: WidgetPosition | null;

  @StringField({
    ...OPTIONAL,
    max: 500,
    description: 'What a visitor reads before the first message',
    example: 'Esta conversa é gravada.',
  })
  declare widget_consent?: string | null;
}
