import { ApiProperty } from '@nestjs/swagger';
import { NullableOf, NullableText } from '../../../common/http/response-fields.js';
import { CALL_HOLDERS, type LiveState } from '../live/live-state.js';
import { TURN_ROLES } from '../turns/call-turn.entity.js';

class LastTurnResponse {
  @ApiProperty({ enum: TURN_ROLES, description: 'Who speaks' })
  declare role: string;

  @ApiProperty({ example: 'Oi, quero renovar meu contrato.', description: 'What was said' })
  declare text: string;

  @ApiProperty({ format: 'date-time', description: 'When it began, ISO 8601 in UTC' })
  declare at: string;
}

class WaitingCallerResponse {
  @ApiProperty({ type: 'integer', description: 'Among the callers of the number, from 1', example: 1 })
  declare position: number;

  @ApiProperty({ format: 'date-time', description: 'Since when, ISO 8601 in UTC' })
  declare since: string;
}

export class LiveCallResponse {
  @ApiProperty({
    format: 'date-time',
    description:
      'When the call was answered; before that, when it began to ring, or was created. ISO 8601 in UTC',
  })
  declare since: string;

  @NullableOf(LastTurnResponse, 'What was said last, as far as it is on record; null where nothing is')
  declare last_turn: LastTurnResponse | null;

  @ApiProperty({
    enum: CALL_HOLDERS,
    description:
      'Who has the customer. `queue`: the caller waits for a line; `transfer`: the customer is being connected to another number, or talks to it; `agent`: a person of the account has taken over; `assistant`: all else, also while the call rings, in a spoken message, and while a carrier transfers the call without a second leg',
  })
  declare holder: string;

  @NullableText({
    description:
      'The member who has the customer; null where no member has: also for the owner of the account and for API keys',
    example: 'Ana Souza',
  })
  declare member_name: string | null;

  @ApiProperty({
    type: 'integer',
    description: 'How many people listen to the call',
    example: 0,
  })
  declare listeners: number;

  @NullableOf(WaitingCallerResponse, 'Place in the queue; null for a caller who does not wait for a line')
  declare waiting: WaitingCallerResponse | null;
}

export function toLiveCallResponse({
  since,
  lastTurn,
  holder,
  memberName,
  listeners,
  waiting,
}: LiveState): LiveCallResponse {
  return {
    since: since.toISOString(),
    last_turn: lastTurn && { role: lastTurn.role, text: lastTurn.text, at: lastTurn.at.toISOString() },
    holder,
    member_name: memberName,
    listeners,
    waiting: waiting && { position: waiting.position, since: waiting.since.toISOString() },
  };
}
