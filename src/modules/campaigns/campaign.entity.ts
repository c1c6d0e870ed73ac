import { Check, Column, Entity, Index, Unique } from 'typeorm';
import { IdColumn, OwnedRowWithTimestamps } from '../../database/columns.js';
import { type Weekday, WEEKDAYS } from '../../common/time/weekdays.js';
import type { CampaignStatus } from './campaign-status.js';

/** A list of leads to be called by an assistant, and when and how often it may call them. */
@Entity('campaigns')
@Unique('campaigns_user_id_id_key', ['userId', 'id'])
@Index('campaigns_assistant_id_idx', ['assistantId'])
@Index('campaigns_running_idx', ['id'], { where: "status = 'in-progress'" })
@Check('campaigns_status_known', "status IN ('draft', 'in-progress', 'stopped', 'completed')")
@Check('campaigns_calls_in_parallel', 'max_calls_in_parallel >= 1')
@Check('campaigns_hours_in_order', 'allowed_hours_start_time < allowed_hours_end_time')
@Check(
  'campaigns_days_known',
  `cardinality(allowed_days) >= 1 AND allowed_days <@ ARRAY[${WEEKDAYS.map((day) => `'${day}'`).join(', ')}]`,
)
@Check('campaigns_retries_range', 'max_retries BETWEEN 1 AND 5')
@Check('campaigns_retry_interval_range', 'retry_interval_minutes BETWEEN 10 AND 4320')
export class Campaign extends OwnedRowWithTimestamps {
  @IdColumn('campaigns_pkey')
  declare id: number;

  /** Null once the assistant was deleted: such a campaign cannot be started. */
  @Column({ type: 'integer', nullable: true })
  declare assistantId: number | null;

  @Column({ type: 'text' })
  declare name: string;

  @Column({ type: 'text', default: 'draft' })
  declare status: CampaignStatus;

  /** IANA name; the days and hours below are of this zone. */
  @Column({ type: 'text' })
  declare timezone: string;

  @Column({ type: 'integer' })
  declare maxCallsInParallel: number;

  /** `HH:MM:SS`, as is the end. */
  @Column({ type: 'time' })
  declare allowedHoursStartTime: string;

  @Column({ type: 'time' })
  declare allowedHoursEndTime: string;

  @Column({ type: 'text', array: true })
  declare allowedDays: Weekday[];

  /** Attempts after the first one. */
  @Column({ type: 'smallint' })
  declare maxRetries: number;

  @Column({ type: 'integer' })
  declare retryIntervalMinutes: number;

  @Column({ type: 'boolean' })
  declare retryOnVoicemail: boolean;

  @Column({ type: 'boolean' })
  declare retryOnGoalIncomplete: boolean;

  /** Name of a boolean item of the assistant's post-call schema. */
  @Column({ type: 'text', nullable: true })
  declare goalCompletionVariable: string | null;

  @Column({ type: 'boolean' })
  declare markCompleteWhenNoLeads: boolean;
}
