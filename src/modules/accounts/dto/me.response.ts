import { ApiProperty } from '@nestjs/swagger';
import { dollarsOf } from '../../billing/money.js';
import type { Account } from '../accounts.service.js';

export class MeResponse {
  @ApiProperty({ example: 'Ana' })
  declare name: string;

  @ApiProperty({ example: 'ana@example.com' })
  declare email: string;

  @ApiProperty({ description: 'US dollars', example: 10 })
  declare total_balance: number;
}

export function toMeResponse(account: Account, balanceMicros: number): MeResponse {
  return { name: account.name, email: account.email, total_balance: dollarsOf(balanceMicros) };
}
