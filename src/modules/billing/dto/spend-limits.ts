import { ApiProperty } from '@nestjs/swagger';
import { NumberField } from '../../../common/http/fields.js';
import { dollarsOf, microsOf } from '../money.js';
import type { VisitorCap } from '../spend/visitor-spend.service.js';

export class SpendLimitsRequest {
  @NumberField({
    nullable: true,
    min: 0,
    max: 1_000_000,
    example: 20,
    description:
      'US dollars that visitors of all assistants may spend a day (UTC); null: as the installation says',
  })
  declare visitor_daily_spend: number | null;
}

export class SpendLimitsResponse {
  @ApiProperty({ example: 20, description: 'US dollars that visitors may spend a day (UTC)' })
  declare visitor_daily_spend: number;

  @ApiProperty({ description: 'Whether it is the limit of the installation' })
  declare is_default: boolean;
}

export function toSpendLimitsResponse({ micros, isDefault }: VisitorCap): SpendLimitsResponse {
  return { visitor_daily_spend: dollarsOf(micros), is_default: isDefault };
}

/** Null: as the installation says. */
export function capMicrosOf({ visitor_daily_spend: dollars }: SpendLimitsRequest): number | null {
  return dollars === null ? null : microsOf(dollars);
}
