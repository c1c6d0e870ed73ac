import { type Grouping, GROUPINGS } from '../../../common/figures/figures-request.js';
import { DateQuery, EnumField } from '../../../common/http/fields.js';

export class AnalyticsQuery {
  @DateQuery({
    description: 'First day, in the time zone of the account; without it, 29 days before the last',
    example: '2026-01-01',
  })
  declare from?: string;

  @DateQuery({
    description: 'Last day, included, in the time zone of the account; without it, today',
    example: '2026-01-30',
  })
  declare to?: string;

  @EnumField(GROUPINGS, { optional: true, default: 'day', description: 'What the groups are' })
  declare group_by?: Grouping;
}
