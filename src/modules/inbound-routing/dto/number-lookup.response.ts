import { ApiProperty } from '@nestjs/swagger';
import {
  FreeObject,
  NullableEnum,
  NullableInteger,
  NullableOf,
  NullableText,
} from '../../../common/http/response-fields.js';
import { LOOKUP_ERRORS, LOOKUP_STATUSES } from '../../../common/phone/call-routing.js';
import type { LookupResult } from '../../caller-lookups/lookup.js';
import { LOOKUP_ACTIONS, type LookupAnswer } from '../../caller-lookups/lookup-answer.js';
import type { FinishedLookup } from '../lookups/number-lookups.repository.js';

class LookupOutcomeResponse {
  @ApiProperty({
    enum: LOOKUP_STATUSES,
    description:
      '`ok`: the answer is used; `timeout`: it was late; `failed`: it could not be read; `ignored`: the server was not asked, or named an assistant or a number that cannot be used',
  })
  declare status: string;

  @NullableInteger({ example: 200, description: 'Of the server; null where it gave none' })
  declare http_status: number | null;

  @ApiProperty({ type: 'integer', description: 'How long the answer took; 0 where the server was not asked' })
  declare ms: number;

  @NullableEnum(LOOKUP_ERRORS, { description: 'What was wrong' })
  declare error: string | null;
}

export class NumberLookupResponse extends LookupOutcomeResponse {
  @ApiProperty({ format: 'date-time', description: 'When the server was asked' })
  declare at: string;

  @NullableInteger({ description: 'The call; null for a test, and for a call that was not recorded' })
  declare call_id: number | null;
}

class LookupAnswerResponse {
  @FreeObject({ description: 'Variables for the assistant' })
  declare variables: Readonly<Record<string, unknown>>;

  @NullableInteger({ description: 'The assistant that is to answer' })
  declare assistant_id: number | null;

  @NullableText({ example: 'Olá, {{name}}!', description: 'First words in place of those of the assistant' })
  declare initial_message: string | null;

  @NullableEnum(LOOKUP_ACTIONS, { description: 'What is to be done with the call' })
  declare action: string | null;

  @NullableText({ example: '+5511912345678', description: 'E.164' })
  declare phone_number: string | null;
}

export class TestedLookupResponse extends LookupOutcomeResponse {
  @NullableOf(LookupAnswerResponse, 'The answer as it was read; null unless it is used')
  declare answer: LookupAnswerResponse | null;
}

export function toNumberLookupResponse({ at, callId, ...outcome }: FinishedLookup): NumberLookupResponse {
  return Object.assign(toOutcome(outcome), { at: at.toISOString(), call_id: callId });
}

export function toTestedLookupResponse(result: LookupResult): TestedLookupResponse {
  return Object.assign(toOutcome(result), { answer: result.answer && toAnswer(result.answer) });
}

function toOutcome({
  status,
  httpStatus,
  ms,
  error,
}: Pick<LookupResult, 'status' | 'httpStatus' | 'ms' | 'error'>): LookupOutcomeResponse {
  return { status, http_status: httpStatus, ms, error };
}

function toAnswer({
  variables,
  assistantId,
  initialMessage,
  action,
  phoneNumber,
}: LookupAnswer): LookupAnswerResponse {
  return {
    variables,
    assistant_id: assistantId,
    initial_message: initialMessage,
    action,
    phone_number: phoneNumber,
  };
}
