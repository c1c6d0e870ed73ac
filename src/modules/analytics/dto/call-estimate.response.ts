import { ApiProperty } from '@nestjs/swagger';
import { NullableNumber, NullableOf } from '../../../common/http/response-fields.js';
import { dollarsOf } from '../../billing/money.js';
import { type CallEstimate, OWN_KEY_PARTS, type OwnKeyPart } from '../call-estimates.service.js';
import { AnswerPercentilesResponse } from './answer-percentiles.response.js';

type RecentCalls = NonNullable<CallEstimate['recent']>;

const MS = (description: string) => ({
  type: 'integer' as const,
  nullable: true,
  description: `${description}, in milliseconds; null where it was not measured`,
  example: 240,
});

class AnswerWaitResponse extends AnswerPercentilesResponse {
  @ApiProperty(MS('Median time until the end of the sentence of the customer was certain'))
  declare endpointing: number | null;

  @ApiProperty(MS('Median time of speech recognition'))
  declare recognition: number | null;

  @ApiProperty(MS('Median time of the language model'))
  declare model: number | null;

  @ApiProperty(MS('Median time of the voice'))
  declare synthesis: number | null;
}

class RecentCallsResponse {
  @ApiProperty({
    type: 'integer',
    description: 'How many of the last 100 calls were answered and are over',
    example: 42,
  })
  declare count: number;

  @ApiProperty({ description: 'Minutes of talk, to two digits', example: 90.5 })
  declare minutes: number;

  @ApiProperty({ description: 'What a minute of these calls cost, in US dollars', example: 0.0118 })
  declare cost_per_minute: number;

  @ApiProperty({ description: 'Of that, for the line', example: 0.0018 })
  declare phone_per_minute: number;

  @NullableOf(AnswerWaitResponse, 'How long customers waited for answers; null where nothing was measured')
  declare response_ms: AnswerWaitResponse | null;
}

export class CallEstimateResponse {
  @ApiProperty({
    description:
      'What a minute with the assistant costs, in US dollars: platform, model and speech, where the keys of the installation are used',
    example: 0.01,
  })
  declare assistant_per_minute: number;

  @NullableNumber({
    description:
      'What a minute of a telephone line costs in addition, in US dollars; null where the account pays the carrier of the number itself. Calls in the browser have no such line',
    example: 0.002,
  })
  declare phone_per_minute: number | null;

  @ApiProperty({
    enum: OWN_KEY_PARTS,
    isArray: true,
    description:
      'What a key of the account is used for: its provider charges the account, at prices that are not known here',
    example: ['voice'],
  })
  declare own_keys: readonly OwnKeyPart[];

  @NullableOf(
    RecentCallsResponse,
    'What the last calls came to; null before the first call that was answered',
  )
  declare recent_calls: RecentCallsResponse | null;
}

export function toCallEstimateResponse(estimate: CallEstimate): CallEstimateResponse {
  return {
    assistant_per_minute: dollarsOf(estimate.assistantMicros),
    phone_per_minute: estimate.phoneMicros === null ? null : dollarsOf(estimate.phoneMicros),
    own_keys: estimate.ownKeys,
    recent_calls: estimate.recent && toRecentCalls(estimate.recent),
  };
}

function toRecentCalls(recent: RecentCalls): RecentCallsResponse {
  const { calls, seconds, carrierCostMicros, aiCostMicros } = recent;
  const perMinute = (micros: number) => dollarsOf(Math.round((micros / seconds) * 60));
  return {
    count: calls,
    minutes: Math.round((seconds / 60) * 100) / 100,
    cost_per_minute: perMinute(aiCostMicros + carrierCostMicros),
    phone_per_minute: perMinute(carrierCostMicros),
    response_ms: toAnswerWait(recent),
  };
}

function toAnswerWait({ p50Ms: p50, p95Ms: p95, ...parts }: RecentCalls): AnswerWaitResponse | null {
  if (p50 === null || p95 === null) return null;
  const { endpointingMs, recognitionMs, modelMs, synthesisMs } = parts;
  return {
    p50,
    p95,
    endpointing: endpointingMs,
    recognition: recognitionMs,
    model: modelMs,
    synthesis: synthesisMs,
  };
}
