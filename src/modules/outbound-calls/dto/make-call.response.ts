import { ApiProperty } from '@nestjs/swagger';
import { MessageResponse } from '../../../common/http/api-docs.js';
import { say } from '../../../i18n/catalogue.js';

export class MadeCallResponse extends MessageResponse {
  @ApiProperty({ type: 'integer', description: 'Id of the call' })
  declare call_id: number;

  @ApiProperty({ enum: ['initiated'], description: 'State' })
  declare status: 'initiated';
}

export function toMadeCallResponse(callId: number): MadeCallResponse {
  return { message: say('calls.initiated'), call_id: callId, status: 'initiated' };
}
