import { applyDecorators, type Type } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsDefined } from 'class-validator';
import { EachItem, issueText } from '../../../common/http/fields/field.js';
import { EnumField, IdField, IntegerField, ObjectField, StringField } from '../../../common/http/fields.js';
import { hasVisibleText } from '../../../common/text/visible-text.js';
import { TypedField, TypedListField } from '../../../common/http/requests/typed-forms.js';
import {
  type Check,
  CHECK_TYPES,
  type Customer,
  CUSTOMER_TYPES,
  type ExpectedValue,
  type PlayedCustomer,
  type ScriptedCustomer,
  TOOL_MODES,
  type ToolMode,
} from '../scenario.js';

export const MAX_RUNS = 20;
export const MAX_TURNS = 30;
const MAX_CHECKS = 50;
const MAX_LINE = 2_000;
const MAX_ROLE = 4_000;
const MAX_PROMPT = 100_000;
const MAX_CRITERION = 1_000;
const MAX_OBJECT_BYTES = 16_384;

/** Any of the customers; also what an unknown type is checked as. */
class CustomerRequest {
  @EnumField(CUSTOMER_TYPES, { description: 'Who plays the customer' })
  declare type: Customer['type'];
}

class ScriptedCustomerRequest extends CustomerRequest implements ScriptedCustomer {
  @EnumField(['script'], { description: 'Lines that are written' })
  declare type: 'script';

  @LinesField()
  declare lines: string[];
}

class PlayedCustomerRequest extends CustomerRequest implements PlayedCustomer {
  @EnumField(['model'], { description: 'A model that plays the described person' })
  declare type: 'model';

  @StringField({
    max: MAX_ROLE,
    description: 'Who the customer is',
    example: 'A baker in a hurry who writes short messages in Portuguese',
  })
  declare persona: string;

  @StringField({
    max: MAX_ROLE,
    description: 'What the customer wants',
    example: 'To move the visit to Friday',
  })
  declare goal: string;

  @StringField({
    optional: true,
    filled: true,
    max: MAX_LINE,
    description: 'The model writes it when left out',
  })
  declare first_message?: string;
}

/** Any of the checks; also what an unknown type is checked as. */
class CheckRequest {
  @EnumField(CHECK_TYPES, { description: 'What is checked' })
  declare type: Check['type'];
}

type Sent<T extends Check['type']> = Extract<Check, { type: T }>;

class SaysRequest extends CheckRequest implements Sent<'says'> {
  @EnumField(['says'], { description: 'The assistant says a text' })
  declare type: 'says';

  @StringField({
    max: MAX_LINE,
    description: 'Part of a message of the assistant; case and accents do not count',
  })
  declare text: string;
}

class NeverSaysRequest extends CheckRequest implements Sent<'never_says'> {
  @EnumField(['never_says'], { description: 'The assistant never says a text' })
  declare type: 'never_says';

  @StringField({
    max: MAX_LINE,
    description: 'In no message of the assistant; case and accents do not count',
  })
  declare text: string;
}

class CallsToolRequest extends CheckRequest implements Sent<'calls_tool'> {
  @EnumField(['calls_tool'], { description: 'The assistant calls a tool' })
  declare type: 'calls_tool';

  @StringField({ max: 64, description: 'Name the model calls the tool by', example: 'track_order' })
  declare name: string;

  @ObjectField({
    optional: true,
    maxBytes: MAX_OBJECT_BYTES,
    description: 'Arguments that one of the calls has; it may have more',
    example: { order_number: '42' },
  })
  declare arguments?: Record<string, unknown>;
}

class NeverCallsToolRequest extends CheckRequest implements Sent<'never_calls_tool'> {
  @EnumField(['never_calls_tool'], { description: 'The assistant never calls a tool' })
  declare type: 'never_calls_tool';

  @StringField({ max: 64, description: 'Name the model calls the tool by', example: 'cancel_order' })
  declare name: string;
}

class EndsRequest extends CheckRequest implements Sent<'ends'> {
  @EnumField(['ends'], { description: 'The assistant ends the conversation' })
  declare type: 'ends';
}

class MaxTurnsRequest extends CheckRequest implements Sent<'max_turns'> {
  @EnumField(['max_turns'], { description: 'The conversation is short' })
  declare type: 'max_turns';

  @IntegerField({ min: 1, max: MAX_TURNS, description: 'Messages that the customer needs at most' })
  declare turns: number;
}

class JudgeRequest extends CheckRequest implements Sent<'judge'> {
  @EnumField(['judge'], { description: 'A model reads the conversation and says whether a criterion holds' })
  declare type: 'judge';

  @StringField({
    max: MAX_CRITERION,
    description: 'What has to be true of the conversation, in plain words; at most 10 of a scenario',
    example: 'The assistant offers another day before it gives up',
  })
  declare criterion: string;
}

class ExtractsRequest extends CheckRequest implements Sent<'extracts'> {
  @EnumField(['extracts'], { description: 'The evaluation, as after a call, finds values' })
  declare type: 'extracts';

  @ObjectField({
    maxBytes: MAX_OBJECT_BYTES,
    description:
      'What fields of post_call_schema, status or summary are to be; case and accents do not count',
    example: { city: 'Recife' },
  })
  declare values: Record<string, ExpectedValue>;
}

const CUSTOMER_FORMS: Readonly<Record<Customer['type'], Type<CustomerRequest>>> = {
  script: ScriptedCustomerRequest,
  model: PlayedCustomerRequest,
};

const CHECK_FORMS: Readonly<Record<Check['type'], Type<CheckRequest>>> = {
  says: SaysRequest,
  never_says: NeverSaysRequest,
  calls_tool: CallsToolRequest,
  never_calls_tool: NeverCallsToolRequest,
  ends: EndsRequest,
  max_turns: MaxTurnsRequest,
  judge: JudgeRequest,
  extracts: ExtractsRequest,
};

/** For the documentation of the controller: the forms are reached through no property's type. */
export const SIMULATION_FORMS = [...Object.values(CUSTOMER_FORMS), ...Object.values(CHECK_FORMS)];

export class BeginSimulationRequest {
  @StringField({
    optional: true,
    filled: true,
    max: 255,
    description: 'Name, for people',
    example: 'Asks what a message costs',
  })
  declare name?: string;

  @StringField({
    optional: true,
    filled: true,
    max: MAX_PROMPT,
    description: 'A draft to try in place of the prompt in use',
    example: 'Você atende os clientes da Padaria Central.',
  })
  declare prompt?: string;

  @IdField({
    optional: true,
    description: 'A prompt that the assistant has had; the one in use when left out',
  })
  declare prompt_version_id?: number;

  @IntegerField({ optional: true, min: 1, max: MAX_RUNS, default: 1, description: 'How often it is played' })
  declare runs?: number;

  @IntegerField({
    optional: true,
    min: 1,
    max: MAX_TURNS,
    default: 10,
    description: 'Messages of the customer after which a run ends',
  })
  declare max_turns?: number;

  @TypedField(
    { base: CustomerRequest, forms: CUSTOMER_FORMS },
    {
      description: 'Who plays the customer',
      example: { type: 'script', lines: ['Quanto custa uma mensagem?'] },
    },
  )
  declare customer: Customer;

  @ObjectField({
    optional: true,
    maxBytes: MAX_OBJECT_BYTES,
    description: 'Variables of the conversation, for use in the prompt as {{name}}',
    example: { customer_name: 'Ana' },
  })
  declare variables?: Record<string, unknown>;

  @EnumField(TOOL_MODES, {
    optional: true,
    default: 'mock',
    description:
      'mock: tools answer as mock_results says and no tool is called; real: tools are called as in any conversation',
  })
  declare tools?: ToolMode;

  @ObjectField({
    optional: true,
    maxBytes: 65_536,
    description: 'What each tool answers, an object by its name; one that is not named answers {"ok": true}',
    example: { track_order: { status: 'shipped' } },
  })
  declare mock_results?: Record<string, unknown>;

  @TypedListField(
    { base: CheckRequest, forms: CHECK_FORMS },
    {
      minItems: 1,
      maxItems: MAX_CHECKS,
      description: 'A run passes when all of them hold',
      example: [{ type: 'says', text: '0,01 dólar' }],
    },
  )
  declare checks: Check[];
}

function LinesField(): PropertyDecorator {
  const isLine = (item: unknown) => typeof item === 'string' && hasVisibleText(item);
  const isShort = (item: unknown) => typeof item === 'string' && item.length <= MAX_LINE;
  return applyDecorators(
    ApiProperty({
      type: 'array',
      items: { type: 'string', minLength: 1, maxLength: MAX_LINE },
      minItems: 1,
      maxItems: MAX_TURNS,
      description: 'What the customer writes, one message after another',
      example: ['Quanto custa uma mensagem?', 'Obrigada'],
    }),
    IsDefined(issueText('validation.required')),
    IsArray(issueText('validation.array')),
    ArrayMinSize(1, issueText('validation.min_items', { min: 1 })),
    ArrayMaxSize(MAX_TURNS, issueText('validation.max_items', { max: MAX_TURNS })),
    EachItem('areLines', isLine, 'validation.required'),
    EachItem('areShort', isShort, 'validation.max_length', { max: MAX_LINE }),
  );
}
