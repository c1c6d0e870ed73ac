import { ApiProperty } from '@nestjs/swagger';
import type { WebhookEventDefinition } from '../../webhooks/webhook-events.js';

export const RENT_UNPAID = 'phone-number.rent-unpaid';

/** The `data` of the event. */
export class RentUnpaidPayload {
  @ApiProperty({ description: 'Identifier of the number' })
  declare phone_number_id: number;

  @ApiProperty({ description: 'International form, with a leading plus sign', example: '+12125550100' })
  declare phone_number: string;

  @ApiProperty({ description: 'Price of the month, in US dollars', example: 3.99 })
  declare price: number;

  @ApiProperty({
    enum: ['balance', 'daily-cap'],
    description: 'Whether the balance is too small, or the daily cap of the account is reached',
  })
  declare reason: 'balance' | 'daily-cap';

  @ApiProperty({ format: 'date-time', description: 'When it could not be paid for the first time' })
  declare unpaid_since: string;
}

export const rentUnpaidEvent: WebhookEventDefinition = {
  kind: RENT_UNPAID,
  payload: RentUnpaidPayload,
  when: 'When a month of a rented number cannot be paid, once until it is',
  published: true,
};
