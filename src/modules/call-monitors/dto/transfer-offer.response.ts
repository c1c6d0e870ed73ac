import { ApiProperty } from '@nestjs/swagger';
import { NullableText } from '../../../common/http/response-fields.js';
import type { OfferedCall } from '../../person-takeovers/offers/transfer-offers.service.js';

export class TransferOfferResponse {
  @ApiProperty({ type: 'integer', description: 'Of the offer', example: 12 })
  declare id: number;

  @ApiProperty({ type: 'integer', description: 'Id of the call', example: 7 })
  declare call_id: number;

  @ApiProperty({ description: 'Who has the customer', example: 'Loja' })
  declare assistant_name: string;

  @NullableText({ description: 'E.164; null on the web', example: '+5511912345678' })
  declare customer_phone: string | null;

  @ApiProperty({
    description: 'Who calls, and why; empty where the model wrote none',
    example: 'Maria quer trocar um pedido que chegou errado e pediu para falar com uma pessoa.',
  })
  declare briefing: string;

  @ApiProperty({ format: 'date-time', description: 'Until when it can be accepted, ISO 8601 in UTC' })
  declare expires_at: string;
}

export function toTransferOfferResponse(offer: OfferedCall): TransferOfferResponse {
  return {
    id: offer.id,
    call_id: offer.callId,
    assistant_name: offer.assistantName,
    customer_phone: offer.customerPhone,
    briefing: offer.briefing,
    expires_at: offer.expiresAt.toISOString(),
  };
}
