import type { AssistantResponse, UpdateAssistantRequest } from '#client/types.gen.js';
import {
  AssistantTransferRequestSchema,
  BookingFieldRequestSchema,
  CalendarIntegrationRequestSchema,
  CallTransferRequestSchema,
  CollectKeypadRequestSchema,
  CreateAssistantRequestSchema,
  DtmfInputRequestSchema,
  EndCallRequestSchema,
  HandoffDestinationRequestSchema,
  HandoffRequestSchema,
  MonitoringAnnouncementRequestSchema,
  PostCallFieldRequestSchema,
  WarmCallTransferRequestSchema,
} from '#client/rules.gen.js';
import type { Definitions, Schema } from '../../../forms/rules.js';
import type { Values } from '../../../forms/schema-form.js';

export const ASSISTANT: Schema = CreateAssistantRequestSchema;

export const MONITORING_ANNOUNCEMENT: Schema = MonitoringAnnouncementRequestSchema;

export const POST_CALL_FIELD: Schema = PostCallFieldRequestSchema;

export const BUILT_IN_TOOLS = {
  call_transfer: CallTransferRequestSchema as Schema,
  warm_call_transfer: WarmCallTransferRequestSchema as Schema,
  end_call: EndCallRequestSchema as Schema,
  dtmf_input: DtmfInputRequestSchema as Schema,
  collect_keypad: CollectKeypadRequestSchema as Schema,
  calendar_integration: CalendarIntegrationRequestSchema as Schema,
  handoff: HandoffRequestSchema as Schema,
  assistant_transfer: AssistantTransferRequestSchema as Schema,
};

export const HANDOFF_DESTINATION: Schema = HandoffDestinationRequestSchema;

export const DEFINITIONS: Definitions = {
  AssistantTransferRequest: AssistantTransferRequestSchema,
  BookingFieldRequest: BookingFieldRequestSchema,
  CalendarIntegrationRequest: CalendarIntegrationRequestSchema,
  CallTransferRequest: CallTransferRequestSchema,
  CollectKeypadRequest: CollectKeypadRequestSchema,
  DtmfInputRequest: DtmfInputRequestSchema,
  EndCallRequest: EndCallRequestSchema,
  HandoffDestinationRequest: HandoffDestinationRequestSchema,
  HandoffRequest: HandoffRequestSchema,
  MonitoringAnnouncementRequest: MonitoringAnnouncementRequestSchema,
  PostCallFieldRequest: PostCallFieldRequestSchema,
  WarmCallTransferRequest: WarmCallTransferRequestSchema,
};

/** Fields that a mode does not have: the API refuses them, so they are neither shown nor sent. */
const NOT_IN: Readonly<Record<string, readonly string[]>> = {
  pipeline: ['multimodal_model_id', 'chat_llm_fallback_id', 'turn_detection_threshold'],
  multimodal: [
    'llm_model_id',
    'synthesizer_provider_id',
    'transcriber_provider_id',
    'fillers',
    'filler_config',
    'allow_interruptions',
    'ignore_backchannels',
  ],
  dualplex: [
    'llm_model_id',
    'transcriber_provider_id',
    'fillers',
    'filler_config',
    'allow_interruptions',
    'ignore_backchannels',
  ],
};

export function isInMode(field: string, mode: unknown): boolean {
  return !NOT_IN[String(mode)]?.includes(field);
}

/** What can be set of an assistant, by the names of the API. */
export function valuesOf(assistant: AssistantResponse): Values {
  const names = Object.keys(ASSISTANT.properties ?? {});
  const all = assistant as unknown as Values;
  return {
    ...Object.fromEntries(names.map((name) => [name, all[name] ?? null])),
    // Their fields are set one by one.
    filler_config: all.filler_config ?? {},
  };
}

/** What differs from what is stored, as the API wants it. */
export function changesBetween(saved: Values, values: Values): UpdateAssistantRequest {
  const changed = Object.entries(values).filter(
    ([name, value]) => isInMode(name, values.mode) && !isSame(value, saved[name]),
  );
  return Object.fromEntries(
    changed.map(([name, value]) => [name, name === 'filler_config' ? phrasesOf(value) : value]),
  );
}

/** After a save: keeps what was typed during it, and takes the rest from the API. */
export function mergedValues(current: Values, sent: Values, stored: Values): Values {
  return Object.fromEntries(
    Object.entries(current).map(([name, value]) => [name, isSame(value, sent[name]) ? stored[name] : value]),
  );
}

function phrasesOf(value: unknown): object | null {
  const kinds = Object.entries(Object(value) as Values).filter(
    ([, phrases]) => Array.isArray(phrases) && phrases.length > 0,
  );
  return kinds.length > 0 ? Object.fromEntries(kinds) : null;
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
