import { ApiProperty } from '@nestjs/swagger';
import { NullableInteger, NullableOf, NullableText } from '../../../common/http/response-fields.js';
import { type Grouping, GROUPINGS } from '../../../common/figures/figures-request.js';
import type { TokenFigures } from '../../../common/figures/token-figures.js';
import { TokensResponse, toTokensResponse } from '../../../common/figures/tokens.response.js';
import { dollarsOf } from '../../billing/money.js';
import { CALL_STATUSES, type CallStatus } from '../../calls/call-states.js';
import type { CallStats } from '../../calls/stats/call-stats.service.js';
import type { ConversationFigures } from '../../conversations/figures/conversation-figures.service.js';
import { AnalyticsPeriodResponse } from './analytics-period.response.js';
import { AnswerPercentilesResponse } from './answer-percentiles.response.js';
import { type Analytics, type Figures, type FiguresGroup, MAX_GROUPS } from '../analytics.service.js';

const OF_TOKENS = 'Tokens of language models, as providers counted them; null where no model reported any';

class WaitFiguresResponse extends AnswerPercentilesResponse {
  @ApiProperty({ type: 'integer', description: 'Calls that were looked at', example: 250 })
  declare calls: number;

  @ApiProperty({ type: 'integer', description: '1: every measured call was looked at', example: 1 })
  declare every_nth: number;
}

class TokenFiguresResponse extends TokensResponse {
  @ApiProperty({
    type: 'integer',
    description:
      'How many of the calls or conversations these are of; for the others no provider reported any',
    example: 85,
  })
  declare counted: number;
}

class CallFiguresResponse {
  @ApiProperty({ type: 'integer', description: 'How many there were', example: 320 })
  declare count: number;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'integer' },
    description: 'How many are in each status; all of them are named',
    example: Object.fromEntries(CALL_STATUSES.map((status) => [status, status === 'completed' ? 250 : 7])),
  })
  declare by_status: Readonly<Record<CallStatus, number>>;

  @ApiProperty({ type: 'integer', description: 'Seconds of talk', example: 5430 })
  declare duration: number;

  @ApiProperty({ description: 'The same in minutes, to two digits', example: 90.5 })
  declare minutes: number;

  @ApiProperty({ description: 'US dollars', example: 1.08 })
  declare carrier_cost: number;

  @ApiProperty({ description: 'US dollars, with the cost of the carrier', example: 6.51 })
  declare total_cost: number;

  @NullableOf(TokenFiguresResponse, OF_TOKENS)
  declare tokens: TokenFiguresResponse | null;

  @NullableOf(
    WaitFiguresResponse,
    'How long customers waited for answers of the assistant; null where nothing was measured',
  )
  declare response_ms: WaitFiguresResponse | null;
}

class ConversationFiguresResponse {
  @ApiProperty({ type: 'integer', description: 'How many were opened', example: 90 })
  declare count: number;

  @ApiProperty({ type: 'integer', description: 'Of these, test conversations', example: 4 })
  declare tests: number;

  @ApiProperty({ type: 'integer', description: 'How many are over', example: 80 })
  declare ended: number;

  @ApiProperty({ type: 'integer', description: 'How many are not, and the AI does not answer', example: 2 })
  declare with_person: number;

  @ApiProperty({ type: 'integer', description: 'Messages in them, the greetings included', example: 710 })
  declare messages: number;

  @ApiProperty({ description: 'US dollars', example: 3.1 })
  declare total_cost: number;

  @NullableOf(TokenFiguresResponse, OF_TOKENS)
  declare tokens: TokenFiguresResponse | null;
}

class AnalyticsFiguresResponse {
  @ApiProperty({ type: CallFiguresResponse, description: 'Of calls' })
  declare calls: CallFiguresResponse;

  @NullableOf(
    ConversationFiguresResponse,
    'Of conversations; null by campaign, because no conversation is of one',
  )
  declare conversations: ConversationFiguresResponse | null;
}

class AnalyticsGroupResponse extends AnalyticsFiguresResponse {
  @NullableText({ format: 'date', description: 'By day: the day' })
  declare day: string | null;

  @NullableInteger({
    description: 'By assistant or campaign: its id; null for what has none, or none any more',
  })
  declare id: number | null;

  @NullableText({ description: 'Its name', example: 'Loja' })
  declare name: string | null;
}

export class AnalyticsResponse extends AnalyticsPeriodResponse {
  @ApiProperty({ enum: GROUPINGS, description: 'What the groups are' })
  declare group_by: Grouping;

  @ApiProperty({ type: AnalyticsFiguresResponse, description: 'Of all groups together' })
  declare totals: AnalyticsFiguresResponse;

  @ApiProperty({
    type: [AnalyticsGroupResponse],
    description: `Every day, oldest first; or the assistants or campaigns with the most, ${MAX_GROUPS} at most`,
  })
  declare groups: AnalyticsGroupResponse[];
}

export function toAnalyticsResponse(analytics: Analytics): AnalyticsResponse {
  return {
    timezone: analytics.zone,
    from: analytics.from,
    to: analytics.to,
    group_by: analytics.groupBy,
    totals: toFigures(analytics.totals),
    groups: analytics.groups.map(toGroup),
  };
}

function toGroup({ day, id, name, ...figures }: FiguresGroup): AnalyticsGroupResponse {
  return Object.assign({ day, id, name }, toFigures(figures));
}

function toFigures({ calls, conversations }: Figures): AnalyticsFiguresResponse {
  return { calls: toCalls(calls), conversations: conversations && toConversations(conversations) };
}

function toCalls(calls: CallStats): CallFiguresResponse {
  return {
    count: calls.count,
    by_status: calls.byStatus,
    duration: calls.seconds,
    minutes: Math.round((calls.seconds / 60) * 100) / 100,
    carrier_cost: dollarsOf(calls.carrierCostMicros),
    total_cost: dollarsOf(calls.totalCostMicros),
    tokens: toTokens(calls.tokens),
    response_ms: calls.waits && toWaits(calls.waits),
  };
}

function toWaits({ p50Ms, p95Ms, calls, everyNth }: NonNullable<CallStats['waits']>): WaitFiguresResponse {
  return { p50: p50Ms, p95: p95Ms, calls, every_nth: everyNth };
}

function toTokens({ counted, ...sums }: TokenFigures): TokenFiguresResponse | null {
  const tokens = toTokensResponse(sums);
  return tokens && Object.assign(tokens, { counted });
}

function toConversations(figures: ConversationFigures): ConversationFiguresResponse {
  return {
    count: figures.count,
    tests: figures.tests,
    ended: figures.ended,
    with_person: figures.withPerson,
    messages: figures.messages,
    total_cost: dollarsOf(figures.costMicros),
    tokens: toTokens(figures.tokens),
  };
}
