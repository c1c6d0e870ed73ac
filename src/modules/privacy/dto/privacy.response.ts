import { ApiProperty } from '@nestjs/swagger';
import { DatedResponse, FreeObject, NullableMoment } from '../../../common/http/response-fields.js';
import { type Erasure, ERASURE_STATUSES, type ErasureStatus } from '../erasure.entity.js';

export class ErasureResponse extends DatedResponse {
  @ApiProperty({ enum: ERASURE_STATUSES, description: 'How far it is' })
  declare status: ErasureStatus;

  @ApiProperty({
    description: 'Something is left until a call with the person, or an answer to them, is over',
  })
  declare waiting: boolean;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'integer' },
    description: 'How many rows of each kind were erased so far',
    example: { leads: 1, calls: 3 },
  })
  declare erased: Readonly<Record<string, number>>;

  @NullableMoment('Null until it is over')
  declare finished_at: string | null;
}

export class PersonalRecordResponse {
  @ApiProperty({
    description: 'What it is; `…_mention` names a row about another person in which the number is written',
    example: 'call',
  })
  declare kind: string;

  @FreeObject({ description: 'The row itself', example: { id: 7, transcript: '…' } })
  declare data: Readonly<Record<string, unknown>>;
}

export class PersonalDataResponse {
  @ApiProperty({ description: 'In international form', example: '+5511998765432' })
  declare phone_number: string;

  @ApiProperty({ format: 'date-time', description: 'When the export began' })
  declare exported_at: string;

  @ApiProperty({ type: [PersonalRecordResponse], description: 'What is held' })
  declare records: PersonalRecordResponse[];

  @ApiProperty({ enum: [true], description: 'The last field: an export that was cut off lacks it' })
  declare complete: true;
}

export function toErasureResponse(erasure: Erasure): ErasureResponse {
  const { id, status, isWaiting, erased, createdAt, finishedAt } = erasure;
  return {
    id,
    status,
    waiting: isWaiting,
    erased,
    created_at: createdAt.toISOString(),
    finished_at: finishedAt?.toISOString() ?? null,
  };
}
