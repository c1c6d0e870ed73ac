import { Check, Column, Entity, Index } from 'typeorm';
import { IdColumn, OwnedRowWithCreatedAt } from '../../database/columns.js';

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** Why a delivery was given up. */
export const FAILURE_REASONS = [
  'tries_exhausted',
  'endpoint_gone',
  'endpoint_disabled',
  'switched_off',
] as const;
export type FailureReason = (typeof FAILURE_REASONS)[number];

/** An event and its way to the one endpoint that wants it. Written in the transaction that causes the event. */
@Entity('webhook_deliveries')
@Index('webhook_deliveries_event_key', ['userId', 'kind', 'subjectId', 'occurrence'], {
  unique: true,
  where: '(subscription_id IS NULL)',
})
@Index(
  'webhook_deliveries_subscribed_event_key',
  ['userId', 'kind', 'subjectId', 'occurrence', 'subscriptionId'],
  { unique: true, where: '(subscription_id IS NOT NULL)' },
)
@Index('webhook_deliveries_subscription_id_idx', ['subscriptionId', 'id'], {
  where: '(subscription_id IS NOT NULL)',
})
@Index('webhook_deliveries_user_id_idx', ['userId', 'id'])
@Index('webhook_deliveries_status_idx', ['userId', 'status', 'id'])
@Index('webhook_deliveries_kind_idx', ['userId', 'kind', 'id'])
@Index('webhook_deliveries_assistant_id_idx', ['assistantId'])
@Index('webhook_deliveries_due_idx', ['endpointId', 'nextAttemptAt'], { where: "(status = 'pending'::text)" })
@Index('webhook_deliveries_leased_idx', ['leaseUntil'], { where: '(lease_until IS NOT NULL)' })
@Index('webhook_deliveries_finished_idx', ['finishedAt'], { where: '(finished_at IS NOT NULL)' })
@Check(
  'webhook_deliveries_kind_known',
  "kind IN ('post-call', 'inbound', 'conversation-ended', 'limit-reached') OR kind ~ '^[a-z0-9-]{1,40}[.][a-z0-9-]{1,40}$'",
)
@Check('webhook_deliveries_status_known', "status IN ('pending', 'delivered', 'failed')")
export class WebhookDelivery extends OwnedRowWithCreatedAt {
  @IdColumn('webhook_deliveries_pkey')
  declare id: number;

  @Column({ type: 'integer' })
  declare endpointId: number;

  /** Whose settings asked for the event; null once the assistant is deleted. */
  @Column({ type: 'integer', nullable: true })
  declare assistantId: number | null;

  /** The subscription that asked for the event; null for what an assistant's settings asked for. */
  @Column({ type: 'integer', nullable: true })
  declare subscriptionId: number | null;

  /** The `webhook-id` of every try, by which a receiver tells repeats. */
  @Column({ type: 'text' })
  declare eventId: string;

  @Column({ type: 'text' })
  declare kind: string;

  /** Id of the call, conversation, campaign or alert. */
  @Column({ type: 'text' })
  declare subjectId: string;

  /** Tells several events of one kind and subject apart. */
  @Column({ type: 'integer', default: 0 })
  declare occurrence: number;

  /** JSON, kept as the text that is signed and sent. */
  @Column({ type: 'text', select: false })
  declare body: string;

  @Column({ type: 'text', default: 'pending' })
  declare status: DeliveryStatus;

  @Column({ type: 'text', nullable: true })
  declare failedBecause: FailureReason | null;

  /** Tries that were begun. The number of the last one is also who may report an outcome. */
  @Column({ type: 'integer', default: 0 })
  declare attempts: number;

  /** Tries that came to a bad end: the place on the schedule. */
  @Column({ type: 'integer', default: 0 })
  declare failures: number;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  declare nextAttemptAt: Date;

  /** Until then the delivery belongs to the process that has begun the last try. */
  @Column({ type: 'timestamptz', nullable: true })
  declare leaseUntil: Date | null;

  /** When it was delivered or given up. */
  @Column({ type: 'timestamptz', nullable: true })
  declare finishedAt: Date | null;
}
