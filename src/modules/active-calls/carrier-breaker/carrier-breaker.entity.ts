import { Check, Column, Entity, PrimaryColumn } from 'typeorm';

export const CARRIER_TROUBLES = ['unavailable', 'rate-limited'] as const;
export type CarrierTrouble = (typeof CARRIER_TROUBLES)[number];

/**
 * The circuit breaker of a carrier, for all processes: one that makes no calls refuses them as well, and one worker alone
 * tries whether the carrier is back.
 */
@Entity('carrier_breakers')
@Check('carrier_breakers_reason_known', "reason IN ('unavailable', 'rate-limited')")
@Check(
  'carrier_breakers_open_with_reason',
  '(opened_at IS NULL) = (retry_at IS NULL) AND (opened_at IS NULL OR reason IS NOT NULL)',
)
export class CarrierBreaker {
  /** The carrier's name, see CallCarrier. */
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'carrier_breakers_pkey' })
  declare carrier: string;

  /** Calls in a row that the carrier did not take, while the breaker was closed. */
  @Column({ type: 'integer', default: 0 })
  declare failures: number;

  /** Calls that tried since the breaker opened whether the carrier is back, and failed. */
  @Column({ type: 'integer', default: 0 })
  declare failedProbes: number;

  @Column({ type: 'text', nullable: true })
  declare reason: CarrierTrouble | null;

  /** Null while the breaker is closed. */
  @Column({ type: 'timestamptz', nullable: true })
  declare openedAt: Date | null;

  /** In the future, open; in the past, half-open; null, closed. */
  @Column({ type: 'timestamptz', nullable: true })
  declare retryAt: Date | null;
}
