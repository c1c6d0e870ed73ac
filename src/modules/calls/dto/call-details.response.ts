import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  FreeObject,
  NullableEnum,
  NullableInteger,
  NullableOf,
  NullableText,
} from '../../../common/http/response-fields.js';
import { TokensResponse, toTokensResponse } from '../../../common/figures/tokens.response.js';
import { RECORDING_SKIPS, type RecordingSkip } from '../../../runtime/call/recording-file.js';
import { type CallScreener, CALL_SCREENERS } from '../../../runtime/call/session/remote-party.js';
import { END_REASONS, type EndReason } from '../call-states.js';
import type { DetailedCall } from '../calls.service.js';
import type { CallQuality } from '../turns/call-quality.js';
import { type CallTurn, TURN_ROLES } from '../turns/call-turn.entity.js';
import { DESK_EVENTS } from '../desk/desk-entry.js';
import { LiveCallResponse, toLiveCallResponse } from './live-call.response.js';
import { type CallReader, CallResponse, toCallResponse } from './call.response.js';

export class CallTurnResponse {
  @ApiProperty({
    enum: TURN_ROLES,
    description: 'Who speaks; `agent`: a person of the account who has taken over from the assistant',
  })
  declare role: string;

  @ApiProperty({ example: 'Oi, quero renovar meu contrato.', description: 'What was said' })
  declare text: string;

  @ApiPropertyOptional({
    example: 'Vendas',
    description: 'Name of the assistant that said it after a hand-over; not there for that of the call',
  })
  declare assistant_name?: string;

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    example: 'Ana Souza',
    description:
      'The member who said it; null for the owner of the account and for API keys. Only there for the role `agent`',
  })
  declare member_name?: string | null;

  @ApiProperty({ type: 'integer', description: 'Milliseconds since the answer' })
  declare start_ms: number;

  @ApiProperty({ type: 'integer', description: 'Milliseconds since the answer' })
  declare end_ms: number;

  @ApiProperty({ description: 'Whether it was cut off, by the customer or by the end of the call' })
  declare interrupted: boolean;
}

class CallFunctionCallResponse {
  @ApiProperty({ example: 'book', description: 'Name, for people' })
  declare name: string;

  @FreeObject({ description: 'What the model filled in' })
  declare arguments: Readonly<Record<string, unknown>>;

  @FreeObject({ description: 'What the function answered' })
  declare result: Readonly<Record<string, unknown>>;

  @ApiProperty({
    type: 'integer',
    description: 'When it had answered, in milliseconds since the answer of the call',
  })
  declare at_ms: number;
}

class DeskEntryResponse {
  @ApiProperty({ type: 'integer', description: 'Milliseconds since the answer' })
  declare at_ms: number;

  @ApiProperty({ enum: DESK_EVENTS, description: 'What was done' })
  declare event: string;

  @NullableText({
    example: 'Ana Souza',
    description: 'The member who did it; null for the owner of the account and for API keys',
  })
  declare member_name: string | null;

  @NullableText({
    example: 'Ofereça dez por cento de desconto.',
    description:
      'What was whispered or said, the note of a hand-back, and the number of a transfer; null for the others',
  })
  declare text: string | null;
}

export class CallDetailsResponse extends CallResponse {
  @NullableInteger({
    description: 'The assistant; null when it was deleted, and where none was meant for the call',
  })
  declare assistant_id: number | null;

  @NullableInteger({ description: 'The campaign; null when it was deleted, and for calls of no campaign' })
  declare campaign_id: number | null;

  @FreeObject({
    description: 'The variables that the call began with; `variables` also has what was collected',
  })
  declare input_variables: Record<string, unknown>;

  @ApiProperty({ type: [CallTurnResponse], description: 'What was heard, also during the call' })
  declare turns: CallTurnResponse[];

  @ApiProperty({
    type: [CallFunctionCallResponse],
    description:
      'Tools that were called, in the order of their answers; at most 100. Those that ran when the call ended are added when they have answered',
  })
  declare function_calls: readonly CallFunctionCallResponse[];

  @ApiProperty({
    type: [DeskEntryResponse],
    description:
      'What people who listened to the call did in it, at most 200 entries. Whispers are shown here alone: they are in no turn, transcript or webhook',
  })
  declare desk: readonly DeskEntryResponse[];

  @ApiProperty({ type: [String], example: ['reclamação'], description: 'Tags, sorted; in no webhook' })
  declare tags: readonly string[];

  @FreeObject({
    nullable: true,
    description:
      'How long the customer waited for answers (`response_ms`, `turns`), how often words were ignored (`ignored_noise` that a recognizer wrote for noise, `ignored_backchannels` such as "uhum" while the assistant spoke), and how late the sound was (`lateness`: `late_ms` of the customer’s sound heard more than 60 ms late, `max_late_ms` the latest of it, `gap_ms` gaps in what they heard); times in milliseconds; null where nothing was measured',
  })
  declare quality: CallQuality | null;

  @NullableEnum(CALL_SCREENERS, {
    description:
      'What had answered in place of a person, as far as its words show: a voice menu, or a service that screens calls; null for nothing of the kind',
  })
  declare gatekeeper: CallScreener | null;

  @NullableEnum(END_REASONS, {
    description:
      'Why an answered call ended. `max_hold`: the far end kept it on hold for too long; `line_lost`: the far end did not answer any more, or the carrier ended the call; null without an answer, during the call, and for calls before this was recorded',
  })
  declare end_reason: EndReason | null;

  @NullableEnum(RECORDING_SKIPS, {
    description:
      'Why the call is not recorded, or not to its end, although the assistant records. `spool_full`: too many recordings wait for a storage that is away; `disk_full`: the disk of the voice process has too little room; `no_encoder`: the program that packs recordings is missing; null where nothing was left out',
  })
  declare recording_skipped: RecordingSkip | null;

  @NullableOf(LiveCallResponse, 'What happens in the call now; null when the call is over')
  declare live: LiveCallResponse | null;

  @NullableOf(
    TokensResponse,
    'Tokens of language models for the call and its evaluation, as providers counted them; null where no model reported any',
  )
  declare tokens: TokensResponse | null;
}

export function toCallDetailsResponse(call: DetailedCall, reader: CallReader): CallDetailsResponse {
  const { assistantId, campaignId, inputVariables, turns, functionCalls, desk, tags } = call;
  const { quality, gatekeeper, endReason, recordingSkipped, live, tokens } = call;
  return Object.assign(toCallResponse(call, reader), {
    assistant_id: assistantId,
    campaign_id: campaignId,
    input_variables: inputVariables,
    turns: turns.map(toTurnResponse),
    function_calls: functionCalls,
    desk,
    tags,
    quality,
    gatekeeper,
    end_reason: endReason,
    recording_skipped: recordingSkipped,
    live: live && toLiveCallResponse(live),
    tokens: toTokensResponse(tokens),
  });
}

export function toTurnResponse(turn: CallTurn): CallTurnResponse {
  const { role, text, assistantName, memberName, startMs, endMs, interrupted } = turn;
  const speaker = assistantName === null ? {} : { assistant_name: assistantName };
  const member = role === 'agent' ? { member_name: memberName } : {};
  return { role, text, ...speaker, ...member, start_ms: startMs, end_ms: endMs, interrupted };
}
