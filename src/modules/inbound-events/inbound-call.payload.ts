import { ApiProperty } from '@nestjs/swagger';
import { NullableInteger, NullableText } from '../../common/http/response-fields.js';
import { CALL_STATUSES, CALL_TYPES } from '../calls/call-states.js';

/** What events tell of a call that comes in: the fields of `call.started`, except its id. */
export class InboundCallPayload {
  @ApiProperty({ enum: CALL_TYPES, description: 'Always `inbound`' })
  declare type: string;

  @ApiProperty({
    enum: CALL_STATUSES,
    description: '`initiated`, or `busy` for a caller who was turned away',
  })
  declare status: string;

  @NullableText({ description: 'Always null' })
  declare previous_status: null;

  @NullableInteger({ description: 'Id of the assistant that answers; null without one' })
  declare assistant_id: number | null;

  @ApiProperty({ description: 'Its name; empty without one', example: 'Loja' })
  declare assistant_name: string;

  @NullableInteger({ description: 'Always null' })
  declare campaign_id: null;

  @NullableText({ description: 'Always null' })
  declare campaign_name: null;

  @NullableInteger({ description: 'Always null' })
  declare lead_id: null;

  @NullableText({ description: 'Who calls: E.164, or `anonymous`', example: '+5511912345678' })
  declare customer_phone: string | null;

  @NullableText({ description: 'The number that is called', example: '+551130000000' })
  declare assistant_phone: string | null;

  @ApiProperty({ format: 'date-time', description: 'When the call came in' })
  declare created_at: string;
}
