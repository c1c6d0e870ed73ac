import { ApiProperty } from '@nestjs/swagger';
import { dollarsOf } from '../money.js';
import type { LedgerEntry } from '../ledger-entry.entity.js';

export class TransactionResponse {
  @ApiProperty({ type: 'integer', example: 42, description: 'Identifier' })
  declare id: number;

  @ApiProperty({ enum: ['credit', 'message', 'call', 'phone_number'], description: 'Kind' })
  declare type: string;

  @ApiProperty({ description: 'US dollars; negative for a charge', example: -0.01 })
  declare amount: number;

  @ApiProperty({ description: 'US dollars after this movement', example: 4.99 })
  declare balance_after: number;

  @ApiProperty({ description: 'What it was for', example: 'message:42' })
  declare reference: string;

  @ApiProperty({ format: 'date-time', description: 'When it was made, ISO 8601 in UTC' })
  declare created_at: string;
}

export function toTransactionResponse(entry: LedgerEntry): TransactionResponse {
  return {
    id: Number(entry.id),
    type: entry.kind,
    amount: dollarsOf(entry.amountMicros),
    balance_after: dollarsOf(entry.balanceAfterMicros),
    reference: entry.reference,
    created_at: entry.createdAt.toISOString(),
  };
}
