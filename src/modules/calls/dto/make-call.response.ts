import { ApiProperty } from '@nestjs/swagger';
import { say } from '../../../i18n/catalogue.js';

export class MadeCallResponse {
  @ApiProperty()
  declare message: string;

  @ApiProperty({ type: 'integer' })
  declare call_id: number;

  @ApiProperty({ enum: ['initiated'] })
  declare status: 'initiated';
}

export function toMadeCallResponse(callId: number): MadeCallResponse {
  return { message: say('calls.initiated'), call_id: callId, status: 'initiated' };
}
