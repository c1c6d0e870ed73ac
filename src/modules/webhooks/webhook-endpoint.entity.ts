import { Column, Entity, Index, Unique } from 'typeorm';
import { IdColumn, OwnedRowWithCreatedAt } from '../../database/columns.js';

export type DisabledReason = 'gone' | 'failing';

/** A URL of an account, and how it has been doing: the breaker of `endpoint-health.ts` lives in this row. */
@Entity('webhook_endpoints')
@Unique('webhook_endpoints_url_key', ['userId', 'urlHash'])
@Index('webhook_endpoints_disabled_idx', ['id'], { where: '(disabled_at IS NOT NULL)' })
export class WebhookEndpoint extends OwnedRowWithCreatedAt {
  @IdColumn('webhook_endpoints_pkey')
  declare id: number;

  @Column({ type: 'text' })
  declare url: string;

  /** SHA-256 of the URL: a URL may be longer than what an index holds. */
  @Column({ type: 'text' })
  declare urlHash: string;

  /** Host and port; many endpoints may share one, and are then limited together. */
  @Column({ type: 'text' })
  declare host: string;

  /** Nothing is sent any more, until the URL is set again. */
  @Column({ type: 'timestamptz', nullable: true })
  declare disabledAt: Date | null;

  @Column({ type: 'text', nullable: true })
  declare disabledBecause: DisabledReason | null;

  /** First failure since the last success. */
  @Column({ type: 'timestamptz', nullable: true })
  declare failingSince: Date | null;

  @Column({ type: 'integer', default: 0 })
  declare consecutiveFailures: number;

  @Column({ type: 'timestamptz', nullable: true })
  declare windowStartedAt: Date | null;

  @Column({ type: 'integer', default: 0 })
  declare windowAttempts: number;

  @Column({ type: 'integer', default: 0 })
  declare windowFailures: number;

  /** The breaker: in the future, open; in the past, half-open; null, closed. */
  @Column({ type: 'timestamptz', nullable: true })
  declare openUntil: Date | null;
}
