import { applyDecorators, type Type } from '@nestjs/common';
import { ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { plainToInstance, Transform } from 'class-transformer';
import { ArrayMaxSize, IsArray, maxLength, ValidateIf, ValidateNested } from 'class-validator';
import {
  BooleanField,
  EnumField,
  IdField,
  IntegerField,
  NestedField,
  ObjectsField,
  StringField,
} from '../../../common/http/fields.js';
import { EachItem, issueText } from '../../../common/http/fields/field.js';
import { TimeZoneField } from '../../../common/http/fields/time-fields.js';
import { UrlField } from '../../../common/http/fields/url-fields.js';
import { nestedAs } from '../../../common/http/requests/request-form.js';
import {
  BUILT_IN_TOOL_TYPES,
  type BuiltInToolType,
  CALENDAR_ENDPOINTS,
  CALLER_ID_MODES,
  HOLD_MUSIC,
  type SentTool,
  STOP_KEYS,
} from '../tools/built-in-tool.js';

const OPTIONAL = { optional: true, nullable: true } as const;
const MAX_TEXT = 2_000;
const MAX_TOOLS = 20;
const MAX_DESTINATIONS = 20;

/** Types of all tools there are. Rules and documentation read this very list, so that it may grow before the first request. */
const TOOL_TYPES: string[] = [...BUILT_IN_TOOL_TYPES];

/** A form a built-in tool may take; also what an unknown type is checked as, so that it is the type that is wrong. */
export class BuiltInToolRequest {
  /** One of the product's own, or that of a module or a plugin, whose fields its own form declares. */
  @EnumField(TOOL_TYPES)
  declare type: string;
}

/** Fields of one type of tool: absent and null both mean the default. */
type Sent<T extends BuiltInToolType> = Extract<SentTool, { type: T }>;

class CallTransferRequest extends BuiltInToolRequest implements Sent<'call_transfer'> {
  @EnumField(['call_transfer'], { description: 'Kind' })
  declare type: 'call_transfer';

  @StringField({ max: 255, example: '+5511987654321', description: 'Where the call goes' })
  declare phone_number: string;

  @StringField({
    ...OPTIONAL,
    max: MAX_TEXT,
    description: 'When to transfer',
    example: 'Quando o cliente pede para falar com uma pessoa',
  })
  declare description?: string | null;

  @BooleanField({ ...OPTIONAL, default: false, description: 'Lets the AI decide the number' })
  declare custom?: boolean | null;

  @TimeZoneField({ ...OPTIONAL, description: 'IANA name of the time zone' })
  declare timezone?: string | null;

  @BooleanField({
    ...OPTIONAL,
    default: false,
    description: 'Whether the assistant announces the call before it hands over',
  })
  declare warm_transfer?: boolean | null;

  @StringField({
    ...OPTIONAL,
    max: MAX_TEXT,
    description: 'What the AI says before transferring',
    example: 'Avise que a ligação será transferida.',
  })
  declare warm_transfer_message?: string | null;
}

class MembersTargetRequest {
  @EnumField(['members'], { description: 'Kind' })
  declare type: 'members';

  @EnumField(['operator'], {
    description: 'Whose consoles ring: of operators and owners who take calls (`PUT /user/me/availability`)',
  })
  declare role: 'operator';
}

class WarmCallTransferRequest extends BuiltInToolRequest implements Sent<'warm_call_transfer'> {
  @EnumField(['warm_call_transfer'], { description: 'Kind' })
  declare type: 'warm_call_transfer';

  @NestedField(() => MembersTargetRequest, {
    ...OPTIONAL,
    description: 'Offers the call to people of the account first; default `supervisor_phone` alone',
  })
  declare target?: MembersTargetRequest | null;

  @StringField({
    ...OPTIONAL,
    max: 255,
    description:
      'A SIP address or extension when custom_sip is true. Required without `target`; with it, who is called when no person ' +
      'takes the call',
    example: '+5511987654321',
  })
  declare supervisor_phone?: string | null;

  @IdField({
    ...OPTIONAL,
    description: 'Phone number used to dial the supervisor. Required with `supervisor_phone`',
  })
  declare outbound_phone_id?: number | null;

  @StringField({
    max: MAX_TEXT,
    description: 'When to transfer',
    example: 'Quando o cliente pede para falar com uma pessoa',
  })
  declare description: string;

  @BooleanField({
    ...OPTIONAL,
    default: false,
    description: 'Whether `supervisor_phone` is a SIP address or an extension',
  })
  declare custom_sip?: boolean | null;

  @EnumField(CALLER_ID_MODES, {
    ...OPTIONAL,
    default: 'outbound_number',
    description: 'Which number the supervisor sees',
  })
  declare caller_id_mode?: (typeof CALLER_ID_MODES)[number] | null;

  @StringField({
    ...OPTIONAL,
    max: 255,
    description: 'Required when caller_id_mode is custom',
    example: '+5511987654321',
  })
  declare custom_caller_id?: string | null;

  @EnumField(HOLD_MUSIC, {
    ...OPTIONAL,
    default: 'hold_music',
    description: 'What the customer hears while waiting',
  })
  declare hold_music?: (typeof HOLD_MUSIC)[number] | null;

  @IntegerField({ ...OPTIONAL, min: 0, max: 100, default: 80, description: 'Per cent' })
  declare hold_music_volume?: number | null;

  @StringField({
    ...OPTIONAL,
    max: MAX_TEXT,
    description: 'Default by language',
    example: 'Um momento, vou transferir você.',
  })
  declare hold_message?: string | null;

  @StringField({
    ...OPTIONAL,
    max: MAX_TEXT,
    description: 'How the AI briefs the supervisor; default by language',
    example: 'Quem ligou, por quê, e por que precisa de uma pessoa.',
  })
  declare summary_instructions?: string | null;

  @StringField({
    ...OPTIONAL,
    max: MAX_TEXT,
    description: 'First words to the supervisor; default by language',
    example: 'Olá! Posso resumir o atendimento?',
  })
  declare briefing_initial_message?: string | null;

  @StringField({
    ...OPTIONAL,
    max: MAX_TEXT,
    description: 'Said to the caller once connected; default by language',
    example: 'Você está falando com a supervisora.',
  })
  declare connected_message?: string | null;
}

class EndCallRequest extends BuiltInToolRequest implements Sent<'end_call'> {
  @EnumField(['end_call'], { description: 'Kind' })
  declare type: 'end_call';

  @StringField({
    ...OPTIONAL,
    max: MAX_TEXT,
    description: 'When to end the call',
    example: 'Quando o cliente pede para falar com uma pessoa',
  })
  declare description?: string | null;
}

class DtmfInputRequest extends BuiltInToolRequest implements Sent<'dtmf_input'> {
  @EnumField(['dtmf_input'], { description: 'Kind' })
  declare type: 'dtmf_input';

  @StringField({
    ...OPTIONAL,
    max: MAX_TEXT,
    description: 'When to send keypad tones',
    example: 'Quando o cliente pede para falar com uma pessoa',
  })
  declare description?: string | null;
}

class CollectKeypadRequest extends BuiltInToolRequest implements Sent<'collect_keypad'> {
  @EnumField(['collect_keypad'], { description: 'Kind' })
  declare type: 'collect_keypad';

  @IntegerField({ ...OPTIONAL, min: 1, max: 30, default: 5, description: 'Seconds' })
  declare timeout?: number | null;

  @EnumField(STOP_KEYS, { ...OPTIONAL, default: '#', description: 'Key that ends the input' })
  declare stop_key?: (typeof STOP_KEYS)[number] | null;
}

export class BookingFieldRequest {
  @StringField({ max: 255, description: 'Name of the field at the calendar provider', example: 'name' })
  declare slug: string;

  @StringField({ max: 64, example: 'email', description: 'Kind' })
  declare type: string;

  @StringField({ max: 255, description: 'Text shown next to the field', example: 'Nome completo' })
  declare label: string;

  @BooleanField({ ...OPTIONAL, default: false, description: 'Whether it must be given' })
  declare required?: boolean | null;

  @OptionsField()
  declare options?: string[] | null;
}

class CalendarIntegrationRequest extends BuiltInToolRequest implements Sent<'calendar_integration'> {
  @EnumField(['calendar_integration'], { description: 'Kind' })
  declare type: 'calendar_integration';

  @StringField({
    max: 512,
    description: 'Shown masked when read; the masked form keeps the stored key',
    example: 'cal_live_5f2c',
  })
  declare extcal_api_key: string;

  @StringField({
    max: 255,
    description: 'Short name of the event type at the calendar provider',
    example: 'consulta-30-min',
  })
  declare extcal_event_slug: string;

  @StringField({
    ...OPTIONAL,
    max: 255,
    description: 'Short name of the team, when the event belongs to one',
    example: 'recepcao',
  })
  declare extcal_team_slug?: string | null;

  @EnumField(CALENDAR_ENDPOINTS, {
    ...OPTIONAL,
    default: 'us',
    description: 'Region of the calendar provider, or `custom`',
  })
  declare extcal_endpoint?: (typeof CALENDAR_ENDPOINTS)[number] | null;

  @UrlField({ ...OPTIONAL, description: 'Required when extcal_endpoint is custom' })
  declare extcal_custom_endpoint?: string | null;

  @ObjectsField(() => BookingFieldRequest, {
    ...OPTIONAL,
    description: 'Further questions of the booking form',
  })
  declare extcal_booking_fields?: BookingFieldRequest[] | null;

  @StringField({
    ...OPTIONAL,
    max: MAX_TEXT,
    description: 'When to offer booking',
    example: 'Quando o cliente pede para falar com uma pessoa',
  })
  declare description?: string | null;
}

export class HandoffDestinationRequest {
  @IdField({ description: 'Another assistant of the account; it takes over only while it is active' })
  declare assistant_id: number;

  @StringField({ max: MAX_TEXT, description: 'When to hand over to it', example: 'O cliente quer comprar.' })
  declare description: string;

  @StringField({
    ...OPTIONAL,
    max: 200,
    description: 'Said to the customer at the hand-over; default nothing',
    example: 'Operação realizada com sucesso',
  })
  declare message?: string | null;
}

class HandoffRequest extends BuiltInToolRequest implements Sent<'handoff'> {
  @EnumField(['handoff'], { description: 'Kind' })
  declare type: 'handoff';

  @ObjectsField(() => HandoffDestinationRequest, {
    minItems: 1,
    maxItems: MAX_DESTINATIONS,
    description:
      'Assistants that may take over the conversation or the call: the rest of it continues with the prompt, the tools, ' +
      'the knowledge base and the model of the other one. The model calls `handoff_to_assistant` for it',
  })
  declare destinations: HandoffDestinationRequest[];
}

const MAX_TRANSFER_TEXT = 500;

class AssistantTransferRequest extends BuiltInToolRequest implements Sent<'assistant_transfer'> {
  @EnumField(['assistant_transfer'], {
    description: 'A hand-over to one assistant; `handoff` says the same, and may have several destinations',
  })
  declare type: 'assistant_transfer';

  @IdField({ description: 'Another assistant of the account' })
  declare assistant_id: number;

  @StringField({
    ...OPTIONAL,
    max: MAX_TRANSFER_TEXT,
    description: 'When to hand over to it; default: when the customer asks for it',
    example: 'Quando o cliente pede para falar com uma pessoa',
  })
  declare description?: string | null;

  @StringField({
    ...OPTIONAL,
    max: MAX_TRANSFER_TEXT,
    description: 'Said to the customer at the hand-over; default nothing',
  })
  declare message_before_transfer?: string | null;

  @BooleanField({ ...OPTIONAL, default: true, description: 'The other assistant begins with its greeting' })
  declare speak_transfer_greeting?: boolean | null;
}

const OWN_FORMS: Readonly<Record<BuiltInToolType, Type<BuiltInToolRequest>>> = {
  call_transfer: CallTransferRequest,
  warm_call_transfer: WarmCallTransferRequest,
  end_call: EndCallRequest,
  dtmf_input: DtmfInputRequest,
  collect_keypad: CollectKeypadRequest,
  calendar_integration: CalendarIntegrationRequest,
  handoff: HandoffRequest,
  assistant_transfer: AssistantTransferRequest,
};

const OWN_FORM_TYPES = new Set<Type<BuiltInToolRequest> | undefined>(Object.values(OWN_FORMS));

/** For the documentation of the controller: the forms are reached through no property's type. */
export const BUILT_IN_TOOL_FORMS = Object.values(OWN_FORMS);

const forms = new Map<string, Type<BuiltInToolRequest>>(Object.entries(OWN_FORMS));
/** As `TOOL_TYPES`, for the documentation. */
const references = BUILT_IN_TOOL_FORMS.map((form) => ({ $ref: getSchemaPath(form) }));
const schemaOfType = Object.fromEntries(
  Object.entries(OWN_FORMS).map(([type, form]) => [type, getSchemaPath(form)]),
);

/** Lets assistants have a tool of another type, before the first request. */
export function addToolForm(type: string, form: Type<BuiltInToolRequest>): void {
  TOOL_TYPES.push(type);
  forms.set(type, form);
  references.push({ $ref: getSchemaPath(form) });
  schemaOfType[type] = getSchemaPath(form);
}

/** An array of built-in tools, each checked by its own form. */
export function BuiltInToolsField(): PropertyDecorator {
  return applyDecorators(
    ApiProperty({
      type: 'array',
      required: false,
      nullable: true,
      maxItems: MAX_TOOLS,
      description: 'Built-in tools of the assistant',
      items: {
        oneOf: references,
        discriminator: { propertyName: 'type', mapping: schemaOfType },
      },
    }),
    Transform(({ value }: { value: unknown }) => (Array.isArray(value) ? value.map(toForm) : value)),
    ValidateIf((_object, value) => value !== undefined && value !== null),
    IsArray(issueText('validation.array')),
    ArrayMaxSize(MAX_TOOLS, issueText('validation.max_items', { max: MAX_TOOLS })),
    ValidateNested({ each: true, ...issueText('validation.object'), ...nestedAs(formOf, flat) }),
  );
}

function toForm(item: unknown): unknown {
  if (typeof item !== 'object' || item === null) return item;
  // An array would pass for an object of no class, and so unchecked.
  if (Array.isArray(item)) return new BuiltInToolRequest();
  return plainToInstance(formOf(item) ?? BuiltInToolRequest, flat(item));
}

/** Lists of the API family show the fields of a tool below `data`; such a tool may be written back. */
function flat(item: object): object {
  if (!('data' in item)) return item;
  const { data, ...own } = item;
  const isObject = typeof data === 'object' && data !== null && !Array.isArray(data);
  return isObject && OWN_FORM_TYPES.has(formOf(item)) ? { ...data, ...own } : item;
}

function formOf(item: unknown): Type<BuiltInToolRequest> | undefined {
  const type = typeof item === 'object' && item !== null && 'type' in item ? item.type : undefined;
  return typeof type === 'string' ? forms.get(type) : undefined;
}

/** Choices of a select field. */
function OptionsField(): PropertyDecorator {
  return applyDecorators(
    ApiProperty({
      type: [String],
      required: false,
      nullable: true,
      maxItems: 100,
      description: 'What may be chosen, for a select',
    }),
    ValidateIf((_object, value) => value !== undefined && value !== null),
    IsArray(issueText('validation.array')),
    ArrayMaxSize(100, issueText('validation.max_items', { max: 100 })),
    EachItem('areTexts', (item) => typeof item === 'string', 'validation.string'),
    EachItem('areShort', (item) => maxLength(item, 255), 'validation.max_length', { max: 255 }),
  );
}
