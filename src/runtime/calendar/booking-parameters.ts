import type { Booking } from './calendar-client.js';
import type { BookingField } from './calendar-settings.js';
import type { ParameterType, ToolArguments, ToolParameterSpec } from '../tools/tool-arguments.js';

/** A parameter of the booking tool and where its value goes. */
export interface BookingParameter extends ToolParameterSpec {
  /** Key in `bookingFieldsResponses`; null when the value is elsewhere in the request. */
  readonly responseSlug: string | null;
  /** Cal.com's name of the kind of field. */
  readonly fieldType: string;
  /** What each of several values must be one of; empty for anything. */
  readonly choices: readonly string[];
}

type FieldValue = string | number | boolean | readonly string[];

type BookingContent = Pick<Booking, 'attendee' | 'responses'>;

const MAX_NAME_LENGTH = 64;
/** Answered with a list; the model writes it as text with commas. */
const LIST_TYPES: ReadonlySet<string> = new Set(['multiselect', 'checkbox', 'multiemail']);
const EMAIL = /^[^\s@,]+@[^\s@,.]+(?:\.[^\s@,.]+)+$/;
const PHONE = /^\+[1-9]\d{6,14}$/;

/** Fields every event type has, under the slugs Cal.com gives them, and the parameters that fill them. */
const SYSTEM_PARAMETERS: Readonly<Record<string, string>> = {
  name: 'name',
  email: 'email',
  attendeePhoneNumber: 'phone',
  phone: 'phone',
  notes: 'notes',
};

/** The parameters of a booking: what each needs, refined and completed by the fields of the event's form. */
export function bookingParameters(timezone: string, fields: readonly BookingField[]): BookingParameter[] {
  const parameters = new Map<string, BookingParameter>(
    [
      own(
        'start',
        true,
        `Start of the appointment as YYYY-MM-DDTHH:MM in the time zone ${timezone}; one of the free times`,
      ),
      own('name', true, 'Full name of the customer'),
      own('email', true, 'E-mail address of the customer', 'email'),
      own(
        'phone',
        false,
        'Phone number of the customer in international format, such as +5511987654321',
        'phone',
      ),
      { ...own('notes', false, 'What the customer wants the host to know'), responseSlug: 'notes' },
    ].map((parameter) => [parameter.name, parameter]),
  );
  for (const field of fields) {
    const system = Object.hasOwn(SYSTEM_PARAMETERS, field.slug) ? SYSTEM_PARAMETERS[field.slug] : undefined;
    const known = system === undefined ? undefined : parameters.get(system);
    const parameter = known ? refined(known, field) : added(freeName(field.slug, parameters), field);
    parameters.set(parameter.name, parameter);
  }
  return [...parameters.values()];
}

/** Sorts checked arguments into the request; or a sentence that says what is wrong with them. */
export function bookingContent(
  parameters: readonly BookingParameter[],
  args: ToolArguments,
): BookingContent | { readonly problem: string } {
  const values = new Map<string, FieldValue>();
  const responses: [string, FieldValue][] = [];
  for (const parameter of parameters) {
    const given = args[parameter.name];
    if (given === undefined) continue;
    const value = fieldValue(parameter, given);
    if (value === undefined) return { problem: problemWith(parameter) };
    values.set(parameter.name, value);
    if (parameter.responseSlug !== null) responses.push([parameter.responseSlug, value]);
  }
  const email = values.get('email');
  const phone = values.get('phone');
  if (email === undefined && phone === undefined)
    return { problem: 'An e-mail address or a phone number is needed.' };
  return {
    attendee: {
      name: values.get('name')?.toString() ?? '',
      ...(email === undefined ? {} : { email: email.toString() }),
      ...(phone === undefined ? {} : { phoneNumber: phone.toString() }),
    },
    responses: Object.fromEntries(responses),
  };
}

function own(name: string, required: boolean, description: string, fieldType = 'text'): BookingParameter {
  return { name, type: 'string', required, description, responseSlug: null, fieldType, choices: [] };
}

function refined(known: BookingParameter, { slug, label, required }: BookingField): BookingParameter {
  return {
    ...known,
    required,
    description: `${known.description} (${label})`,
    // `phone` is a custom field, unlike `attendeePhoneNumber`: its answer is wanted in both places.
    responseSlug: slug === 'phone' ? slug : known.responseSlug,
  };
}

function added(name: string, { slug, type, label, required, options }: BookingField): BookingParameter {
  const isList = LIST_TYPES.has(type);
  const hint = isList
    ? `; several are separated by commas${options.length > 0 ? `, out of: ${options.join(', ')}` : ''}`
    : '';
  return {
    name,
    type: parameterType(type),
    description: label + hint,
    required,
    responseSlug: slug,
    fieldType: type,
    choices: isList ? options : [],
    ...(isList || options.length === 0 ? {} : { options }),
  };
}

function parameterType(fieldType: string): ParameterType {
  return fieldType === 'number' || fieldType === 'boolean' ? fieldType : 'string';
}

/** Slugs are free text; model servers take letters, digits, `_` and `-` only. */
function freeName(slug: string, taken: ReadonlyMap<string, unknown>): string {
  const name = slug.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, MAX_NAME_LENGTH - 4);
  if (!taken.has(name)) return name;
  for (let number = 2; ; number++) if (!taken.has(`${name}_${number}`)) return `${name}_${number}`;
}

function fieldValue(
  { fieldType, choices }: BookingParameter,
  given: string | number | boolean,
): FieldValue | undefined {
  if (typeof given !== 'string') return given;
  if (LIST_TYPES.has(fieldType)) return listValue(given, fieldType, choices);
  if (fieldType === 'phone') return phoneValue(given);
  if (fieldType === 'email') return emailValue(given);
  return given;
}

function listValue(
  text: string,
  fieldType: string,
  choices: readonly string[],
): readonly string[] | undefined {
  const items = itemsIn(text);
  if (fieldType === 'multiemail') return items.every((item) => EMAIL.test(item)) ? items : undefined;
  return choices.length === 0 ? items : choicesAmong(items, choices);
}

function itemsIn(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/** A choice may have commas itself, and so be several items. */
function choicesAmong(items: readonly string[], choices: readonly string[]): string[] | undefined {
  const split = choices
    .map((choice) => ({ choice, parts: itemsIn(choice) }))
    .filter(({ parts }) => parts.length > 0)
    .toSorted((a, b) => b.parts.length - a.parts.length);
  const chosen: string[] = [];
  for (let at = 0; at < items.length;) {
    const found = split.find(({ parts }) => parts.every((part, index) => items[at + index] === part));
    if (!found) return undefined;
    chosen.push(found.choice);
    at += found.parts.length;
  }
  return chosen;
}

function phoneValue(text: string): string | undefined {
  const digits = text.replace(/[\s().-]/g, '').replace(/^00/, '+');
  return PHONE.test(digits) ? digits : undefined;
}

function emailValue(text: string): string | undefined {
  const email = text.trim();
  return EMAIL.test(email) ? email : undefined;
}

function problemWith({ name, fieldType, choices }: BookingParameter): string {
  if (fieldType === 'phone')
    return `The argument "${name}" must be a phone number in international format, such as +5511987654321.`;
  if (fieldType === 'email' || fieldType === 'multiemail')
    return `The argument "${name}" is not a valid e-mail address.`;
  return `The argument "${name}" may only name: ${choices.join(', ')}.`;
}
