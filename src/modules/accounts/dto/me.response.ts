import { ApiProperty } from '@nestjs/swagger';
import { dollarsOf } from '../../billing/money.js';
import type { AccountWithBalance } from '../accounts.repository.js';

export class MeResponse {
  @ApiProperty({ example: 'Ana', description: 'Name, for people' })
  declare name: string;

  @ApiProperty({ example: 'ana@example.com', description: 'Email address of the account' })
  declare email: string;

  @ApiProperty({ description: 'US dollars', example: 10 })
  declare total_balance: number;
}

export function toMeResponse({ name, email, balanceMicros }: AccountWithBalance): MeResponse {
  return { name, email, total_balance: dollarsOf(balanceMicros) };
}
