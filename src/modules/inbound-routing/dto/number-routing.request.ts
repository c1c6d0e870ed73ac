import { applyDecorators } from '@nestjs/common';
import { ValidateBy, type ValidationArguments } from 'class-validator';
import { BRANCH_ACTIONS, type BranchAction } from '../../../common/phone/call-routing.js';
import { ValidationFailedError } from '../../../common/errors/errors.js';
import { DaysField, MomentField, TimeZoneField } from '../../../common/http/fields/time-fields.js';
import {
  EnumField,
  IdField,
  IntegerField,
  NestedField,
  ObjectsField,
  StringField,
} from '../../../common/http/fields.js';
import { issueText } from '../../../common/http/fields/field.js';
import { PhoneField } from '../../../common/http/fields/phone-fields.js';
import { UrlField } from '../../../common/http/fields/url-fields.js';
import { WeekdaysField } from '../../../common/http/fields/weekdays-field.js';
import type { Weekday } from '../../../common/time/weekdays.js';
import { inboundRoutingTexts } from '../inbound-routing.texts.js';
import { DEFAULT_LOOKUP_TIMEOUT_MS } from '../number-routing.js';
import type { RoutingChanges } from '../number-routings.service.js';

const MAX_WEEKLY = 50;
/** A year and a day. */
const MAX_CLOSED_DATES = 366;
const MAX_MESSAGE = 1_000;
const MAX_QUEUE_MESSAGE = 500;
/** A plus sign and fifteen digits. */
const MAX_E164 = 16;

function DiffersFromStart(): PropertyDecorator {
  return ValidateBy(
    {
      name: 'differsFromStart',
      validator: {
        validate: (to, args?: ValidationArguments) =>
          to !== (args?.object as WeeklyHoursRequest | undefined)?.from,
      },
    },
    issueText(inboundRoutingTexts('number_routings.to_equal')),
  );
}

export class WeeklyHoursRequest {
  @WeekdaysField({ description: 'Days on which the hours begin' })
  declare days: Weekday[];

  @StringField({
    pattern: {
      regex: /^(?:[01]\d|2[0-3]):[0-5]\d$/,
      key: inboundRoutingTexts('number_routings.from_format'),
    },
    description: 'HH:MM, in the time zone',
    example: '09:00',
  })
  declare from: string;

  @applyDecorators(
    StringField({
      pattern: {
        regex: /^(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/,
        key: inboundRoutingTexts('number_routings.to_format'),
      },
      description: 'HH:MM, exclusive, at most `24:00`; before `from` it is of the next day',
      example: '18:00',
    }),
    DiffersFromStart(),
  )
  declare to: string;
}

export class RoutingHoursRequest {
  @TimeZoneField({ description: 'IANA name of the time zone of the hours' })
  declare timezone: string;

  @ObjectsField(() => WeeklyHoursRequest, {
    minItems: 1,
    maxItems: MAX_WEEKLY,
    description: 'When the number is open, each week',
  })
  declare weekly: WeeklyHoursRequest[];

  @DaysField({
    optional: true,
    maxItems: MAX_CLOSED_DATES,
    description:
      'Days on which the number is closed, such as holidays, YYYY-MM-DD on the calendar of the time zone. Hours that begin on such a day are closed to their end',
    example: ['2026-12-25'],
  })
  declare closed_dates?: string[];
}

export class BranchActionRequest {
  @EnumField(BRANCH_ACTIONS, {
    description:
      '`assistant`: an assistant answers; `forward`: the caller is connected to another number; `message`: a text is spoken, then the call ends; `busy`: the caller is turned away',
  })
  declare action: BranchAction['action'];

  @IdField({
    optional: true,
    nullable: true,
    description: 'An assistant of the account; required for the action `assistant`',
  })
  declare assistant_id?: number | null;

  @StringField({
    optional: true,
    nullable: true,
    max: MAX_E164,
    description:
      'E.164, a landline or mobile number where transfers may go, and none of the numbers of the account; required for the action `forward`',
    example: '+551130000009',
  })
  declare phone_number?: string | null;

  @StringField({
    optional: true,
    nullable: true,
    max: MAX_MESSAGE,
    description:
      'What is said; required for the action `message`. The voice is that of the assistant of the number, else one in the language of the country of the account',
    example: 'Nosso horário de atendimento é das 9 às 18 horas.',
  })
  declare text?: string | null;
}

export class RoutingQueueRequest {
  @IntegerField({ min: 1, max: 50, description: 'How many callers may wait at the same time', example: 5 })
  declare max_waiting: number;

  @IntegerField({
    min: 5,
    max: 900,
    description: 'Seconds after which a waiting call takes the part `unavailable`',
    example: 120,
  })
  declare max_seconds: number;

  @StringField({
    optional: true,
    nullable: true,
    max: MAX_QUEUE_MESSAGE,
    description: 'What a caller hears first, before the position in the queue; null: the position alone',
    example: 'Um momento, já vamos atender.',
  })
  declare message?: string | null;
}

export class UpdateNumberRoutingRequest {
  @NestedField(() => RoutingHoursRequest, {
    optional: true,
    nullable: true,
    description: 'null: the number is always open',
  })
  declare hours?: RoutingHoursRequest | null;

  @NestedField(() => BranchActionRequest, {
    optional: true,
    nullable: true,
    description: 'What is done with a call outside the hours; null: busy',
  })
  declare closed?: BranchActionRequest | null;

  @NestedField(() => BranchActionRequest, {
    optional: true,
    nullable: true,
    description: 'What is done with a call that nothing else can answer; null: busy',
  })
  declare unavailable?: BranchActionRequest | null;

  @UrlField({
    optional: true,
    nullable: true,
    description:
      'Asked who the caller is while a call rings, by one POST that is signed like webhooks. Its answer may choose the assistant, ' +
      'reject the call, and give variables and the first words. null: no one is asked',
    example: 'https://crm.example/who',
  })
  declare lookup_url?: string | null;

  @IntegerField({
    optional: true,
    nullable: true,
    default: DEFAULT_LOOKUP_TIMEOUT_MS,
    min: 500,
    max: 7_500,
    description:
      'Milliseconds that an answer of `lookup_url` is waited for; later it counts for nothing. Kept with a `lookup_url` only',
  })
  declare lookup_timeout_ms?: number | null;

  @NestedField(() => RoutingQueueRequest, {
    optional: true,
    nullable: true,
    description:
      'Lets callers wait, with music, where the lines of the plan or of the installation are taken, or no voice process can talk ' +
      'yet. null: such a call takes the part `unavailable` at once',
  })
  declare queue?: RoutingQueueRequest | null;
}

export class TestNumberRoutingRequest {
  @PhoneField({ description: 'Number of a caller' })
  declare customer_phone: string;

  @MomentField({ optional: true, nullable: true, description: 'When the call comes in; now when left out' })
  declare at?: string | null;
}

/** @throws ValidationFailedError where an action lacks what it needs */
export function changesOf({
  hours,
  closed,
  unavailable,
  lookup_url: lookupUrl,
  lookup_timeout_ms: lookupTimeoutMs,
  queue,
}: UpdateNumberRoutingRequest): RoutingChanges {
  return {
    hours: hours && {
      timezone: hours.timezone,
      weekly: hours.weekly.map(({ days, from, to }) => ({ days, from, to })),
      closed_dates: hours.closed_dates ?? [],
    },
    closed: closed && branchOf('closed', closed),
    unavailable: unavailable && branchOf('unavailable', unavailable),
    lookupUrl,
    lookupTimeoutMs,
    queue: queue && {
      max_waiting: queue.max_waiting,
      max_seconds: queue.max_seconds,
      message: queue.message?.trim() || null,
    },
  };
}

function branchOf(part: string, sent: BranchActionRequest): BranchAction {
  const { action, assistant_id: assistantId } = sent;
  switch (action) {
    case 'busy':
      return { action };
    case 'message':
      return { action, text: required(`${part}.text`, sent.text) };
    case 'forward':
      return { action, phone_number: required(`${part}.phone_number`, sent.phone_number) };
    case 'assistant':
      if (assistantId === undefined || assistantId === null)
        throw ValidationFailedError.of(`${part}.assistant_id`, 'validation.required');
      return { action, assistant_id: assistantId };
  }
}

function required(field: string, sent: string | null | undefined): string {
  const words = sent?.trim() ?? '';
  if (words === '') throw ValidationFailedError.of(field, 'validation.required');
  return words;
}
