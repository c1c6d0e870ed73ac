import { ApiProperty } from '@nestjs/swagger';
import { say } from '../../../i18n/catalogue.js';

export class MakeCallResponse {
  @ApiProperty()
  declare message: string;

  @ApiProperty({ type: 'integer' })
  declare call_id: number;

  @ApiProperty({ enum: ['initiated'] })
  declare status: 'initiated';
}

export function toMakeCallResponse(callId: number): MakeCallResponse {
  return { message: say('calls.initiated'), call_id: callId, status: 'initiated' };
}
