import type { OfferRole } from '../../../runtime/tools/call-controls.js';
import { textsOf } from './built-in-tool-texts.js';

export const BUILT_IN_TOOL_TYPES = [
  'call_transfer',
  'warm_call_transfer',
  'end_call',
  'dtmf_input',
  'collect_keypad',
  'calendar_integration',
  'handoff',
  'assistant_transfer',
] as const;
export const CALLER_ID_MODES = ['outbound_number', 'customer_number', 'custom'] as const;
export const HOLD_MUSIC = ['hold_music', 'none'] as const;
export const STOP_KEYS = ['#', '*'] as const;
export const CALENDAR_ENDPOINTS = ['us', 'eu', 'custom'] as const;

export interface CallTransferTool {
  readonly type: 'call_transfer';
  readonly phone_number: string;
  readonly description: string | null;
  /** The model may choose the number. */
  readonly custom: boolean;
  readonly timezone: string | null;
  readonly warm_transfer: boolean;
  readonly warm_transfer_message: string | null;
}

/** The people of the account who take calls. */
export interface MembersTarget {
  readonly type: 'members';
  readonly role: OfferRole;
}

export interface WarmCallTransferTool {
  readonly type: 'warm_call_transfer';
  /** Left out: the supervisor alone. */
  readonly target?: MembersTarget;
  /** Left out only with a `target`: no supervisor is called where no person takes the call. */
  readonly supervisor_phone?: string;
  /** There is one where there is a supervisor. */
  readonly outbound_phone_id?: number;
  readonly description: string;
  readonly custom_sip: boolean;
  readonly caller_id_mode: (typeof CALLER_ID_MODES)[number];
  readonly custom_caller_id: string | null;
  readonly hold_music: (typeof HOLD_MUSIC)[number];
  /** 0 to 100. */
  readonly hold_music_volume: number;
  readonly hold_message: string;
  readonly summary_instructions: string;
  readonly briefing_initial_message: string;
  readonly connected_message: string;
}

export interface EndCallTool {
  readonly type: 'end_call';
  readonly description: string | null;
}

export interface DtmfInputTool {
  readonly type: 'dtmf_input';
  readonly description: string | null;
}

export interface CollectKeypadTool {
  readonly type: 'collect_keypad';
  /** Seconds. */
  readonly timeout: number;
  readonly stop_key: (typeof STOP_KEYS)[number];
}

export interface BookingField {
  readonly slug: string;
  readonly type: string;
  readonly label: string;
  readonly required: boolean;
  readonly options: readonly string[];
}

export interface CalendarTool {
  readonly type: 'calendar_integration';
  readonly extcal_api_key: string;
  readonly extcal_event_slug: string;
  readonly extcal_team_slug: string | null;
  readonly extcal_endpoint: (typeof CALENDAR_ENDPOINTS)[number];
  readonly extcal_custom_endpoint: string | null;
  readonly extcal_booking_fields: readonly BookingField[];
  readonly description: string | null;
}

export interface HandoffDestination {
  readonly assistant_id: number;
  /** When to hand over to it. */
  readonly description: string;
  /** Said to the customer at the hand-over. */
  readonly message: string | null;
}

export interface HandoffTool {
  readonly type: 'handoff';
  readonly destinations: readonly HandoffDestination[];
}

/** A hand-over to one assistant, in the form that clients of the API family write. */
export interface AssistantTransferTool {
  readonly type: 'assistant_transfer';
  readonly assistant_id: number;
  /** When to hand over to it. */
  readonly description: string | null;
  /** Said to the customer at the hand-over. */
  readonly message_before_transfer: string | null;
  /** The other assistant begins with its greeting. */
  readonly speak_transfer_greeting: boolean;
}

/** A built-in tool with every field, defaults included. */
export type BuiltInTool =
  | CallTransferTool
  | WarmCallTransferTool
  | EndCallTool
  | DtmfInputTool
  | CollectKeypadTool
  | CalendarTool
  | HandoffTool
  | AssistantTransferTool;

export type BuiltInToolType = BuiltInTool['type'];

/** A booking field may be sent without what has a default. */
type SentValue<Value> = Value extends readonly BookingField[]
  ? readonly SentBookingField[]
  : Value extends readonly HandoffDestination[]
    ? readonly SentHandoffDestination[]
    : Value;
type SentHandoffDestination = Pick<HandoffDestination, 'assistant_id' | 'description'> & {
  readonly message?: string | null;
};
type SentBookingField = Pick<BookingField, 'slug' | 'type' | 'label'> & {
  readonly required?: boolean | null;
  readonly options?: readonly string[] | null;
};
type AsSent<T extends BuiltInTool> = T extends BuiltInTool
  ? Pick<T, 'type'> & { readonly [Field in keyof Omit<T, 'type'>]?: SentValue<T[Field]> | null }
  : never;

/** A built-in tool as a caller wrote it: what is left out or null takes its default when it is read. */
export type SentTool = AsSent<BuiltInTool>;

/** As sent, but without the calendar's key, which is kept sealed elsewhere. */
export type StoredTool = SentTool;

type Defaults = { readonly [Type in BuiltInToolType]: Partial<Extract<BuiltInTool, { type: Type }>> };

function defaultsIn(iso2: string | undefined): Defaults {
  return {
    call_transfer: {
      description: null,
      custom: false,
      timezone: null,
      warm_transfer: false,
      warm_transfer_message: null,
    },
    warm_call_transfer: {
      custom_sip: false,
      caller_id_mode: 'outbound_number',
      custom_caller_id: null,
      hold_music: 'hold_music',
      hold_music_volume: 80,
      ...textsOf(iso2),
    },
    end_call: { description: null },
    dtmf_input: { description: null },
    collect_keypad: { timeout: 5, stop_key: '#' },
    calendar_integration: {
      extcal_team_slug: null,
      extcal_endpoint: 'us',
      extcal_custom_endpoint: null,
      extcal_booking_fields: [],
      description: null,
    },
    handoff: { destinations: [] },
    assistant_transfer: {
      description: null,
      message_before_transfer: null,
      speak_transfer_greeting: true,
    },
  };
}

/**
 * A tool with its defaults.
 *
 * @param tool as sent, and checked, so that what is required is there
 * @param iso2 language of the texts that are spoken
 */
export function completeTool(tool: SentTool, iso2: string | undefined): BuiltInTool {
  const complete = { ...defaultsIn(iso2)[tool.type], ...withoutNulls(tool) } as BuiltInTool;
  if (complete.type === 'handoff') {
    return {
      ...complete,
      destinations: complete.destinations.map((destination) => ({ ...NO_MESSAGE, ...destination })),
    };
  }
  if (complete.type !== 'calendar_integration') return complete;
  return { ...complete, extcal_booking_fields: complete.extcal_booking_fields.map(completeBookingField) };
}

const NO_MESSAGE = { message: null };

function completeBookingField({ slug, type, label, required, options }: SentBookingField): BookingField {
  return { slug, type, label, required: required ?? false, options: options ?? [] };
}

function withoutNulls(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

/** Where a tool hands over to. */
export interface Handoff {
  readonly assistantId: number;
  readonly description: string | null;
  readonly message: string | null;
  readonly greets: boolean;
  /** Of the id of the assistant, below that of the tool. */
  readonly field: string;
}

/** The assistants that a tool hands over to, in whichever form it was written. */
export function handoffsIn(tool: SentTool): Handoff[] {
  if (tool.type === 'assistant_transfer') {
    const { assistant_id: assistantId, description, message_before_transfer: message } = tool;
    if (typeof assistantId !== 'number') return [];
    const greets = tool.speak_transfer_greeting ?? true;
    const field = 'assistant_id';
    return [{ assistantId, description: description ?? null, message: message ?? null, greets, field }];
  }
  if (tool.type !== 'handoff') return [];
  return (tool.destinations ?? []).map(({ assistant_id: assistantId, description, message }, place) => {
    const field = `destinations.${place}.assistant_id`;
    return { assistantId, description, message: message ?? null, greets: false, field };
  });
}
