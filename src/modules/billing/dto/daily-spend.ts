import { ApiProperty } from '@nestjs/swagger';
import { IntegerQuery } from '../../../common/http/fields.js';
import type { DailySpend } from '../spend/daily-spend.repository.js';
import { dollarsOf } from '../money.js';

const DEFAULT_DAYS = 30;

export class DailySpendQuery {
  @IntegerQuery({ min: 1, max: 90, default: DEFAULT_DAYS, description: 'How many days, today included' })
  declare days?: number;
}

export class SpendDayResponse {
  @ApiProperty({ format: 'date', description: 'In UTC' })
  declare day: string;

  @ApiProperty({ description: 'US dollars', example: 1.27 })
  declare total: number;

  @ApiProperty({ description: 'US dollars for messages', example: 0.27 })
  declare message: number;

  @ApiProperty({ description: 'US dollars for calls', example: 1 })
  declare call: number;

  @ApiProperty({ description: 'US dollars for phone numbers', example: 0 })
  declare phone_number: number;
}

export class DailySpendResponse {
  @ApiProperty({
    type: [SpendDayResponse],
    description: 'Oldest first; also days on which nothing was spent',
  })
  declare data: SpendDayResponse[];
}

export function daysOf({ days }: DailySpendQuery): number {
  return days ?? DEFAULT_DAYS;
}

export function toDailySpendResponse(rows: readonly DailySpend[]): DailySpendResponse {
  const days = new Map<string, { message: number; call: number; phone_number: number }>();
  for (const { day, kind, micros } of rows) {
    const spent = days.get(day) ?? { message: 0, call: 0, phone_number: 0 };
    if (kind !== null) spent[kind] = micros;
    days.set(day, spent);
  }
  return {
    data: [...days].map(([day, { message, call, phone_number }]) => ({
      day,
      total: dollarsOf(message + call + phone_number),
      message: dollarsOf(message),
      call: dollarsOf(call),
      phone_number: dollarsOf(phone_number),
    })),
  };
}
