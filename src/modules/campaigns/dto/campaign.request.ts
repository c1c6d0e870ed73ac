import { PartialType } from '@nestjs/swagger';
import { BooleanField, EnumField, IdField, IntegerField, StringField } from '../../../common/http/fields.js';
import { IdsField } from '../../../common/http/fields/list-fields.js';
import { TimeZoneField } from '../../../common/http/fields/time-fields.js';
import { type Weekday, WEEKDAYS } from '../../../common/time/weekdays.js';
import { WeekdaysField } from '../../../common/http/fields/weekdays-field.js';

const ACTIONS = ['start', 'stop'] as const;

/** Seconds are shown when it is read, so they may be sent as well. */
function HourField(options: { default: string; description?: string }): PropertyDecorator {
  return StringField({
    ...options,
    optional: true,
    pattern: { regex: /^(?:[01]\d|2[0-3]):[0-5]\d(?::00)?$/, key: 'campaigns.time_format' },
  });
}

export class CreateCampaignRequest {
  @StringField({ max: 255, example: 'Renewals', description: 'Name, for people' })
  declare name: string;

  @IdField({ description: 'An outbound assistant' })
  declare assistant_id: number;

  @TimeZoneField({ optional: true, description: "Of a new campaign the account's zone when left out" })
  declare timezone?: string;

  @IntegerField({ optional: true, min: 1, default: 3, description: 'At most what the plan allows' })
  declare max_calls_in_parallel?: number;

  @HourField({ default: '00:00', description: 'HH:MM, in the time zone of the campaign' })
  declare allowed_hours_start_time?: string;

  @HourField({ default: '23:59', description: 'HH:MM, after the start' })
  declare allowed_hours_end_time?: string;

  @WeekdaysField({
    optional: true,
    default: [...WEEKDAYS],
    description: 'Days of the week on which leads are called, in the time zone of the campaign',
  })
  declare allowed_days?: Weekday[];

  @IntegerField({ optional: true, min: 1, max: 5, default: 3, description: 'Attempts after the first one' })
  declare max_retries?: number;

  @IntegerField({ optional: true, min: 10, max: 4320, default: 60, description: 'Minutes' })
  declare retry_interval?: number;

  @BooleanField({ optional: true, default: false, description: 'Voicemail counts as not reached' })
  declare retry_on_voicemail?: boolean;

  @BooleanField({
    optional: true,
    default: false,
    description: 'Call again when the goal variable of a finished call is false',
  })
  declare retry_on_goal_incomplete?: boolean;

  @StringField({
    optional: true,
    nullable: true,
    max: 255,
    description: "Name of an item of type bool of the assistant's post_call_schema",
    example: 'vendeu',
  })
  declare goal_completion_variable?: string | null;

  @BooleanField({
    optional: true,
    default: true,
    description: 'Whether the campaign ends by itself when no lead is left',
  })
  declare mark_complete_when_no_leads?: boolean;

  @IdsField({ optional: true, description: 'Own numbers to call from, in this order by turns' })
  declare phone_number_ids?: number[];
}

/** All optional; phone_number_ids and allowed_days replace what was there. */
export class UpdateCampaignRequest extends PartialType(CreateCampaignRequest, {
  skipNullProperties: false,
}) {
  @IdField({
    optional: true,
    nullable: true,
    description: 'An outbound assistant. Null, as it reads once the assistant was deleted, changes nothing',
  })
  declare assistant_id?: number;
}

export class UpdateCampaignStatusRequest {
  @IdField({ description: 'Id of the campaign' })
  declare campaign_id: number;

  @EnumField(ACTIONS, { description: '`start` or `stop`' })
  declare action: (typeof ACTIONS)[number];
}
