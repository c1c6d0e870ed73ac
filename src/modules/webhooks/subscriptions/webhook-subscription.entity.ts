import { Column, Entity, Index } from 'typeorm';
import { IdColumn, OwnedRowWithTimestamps } from '../../../database/columns.js';

/**
 * A webhook endpoint that an account has registered: which of its events it wants at a URL. The health of the URL is
 * in `webhook_endpoints`, which all senders to it share.
 */
@Entity('webhook_subscriptions')
@Index('webhook_subscriptions_user_id_idx', ['userId'])
@Index('webhook_subscriptions_endpoint_id_idx', ['endpointId'])
export class WebhookSubscription extends OwnedRowWithTimestamps {
  @IdColumn('webhook_subscriptions_pkey')
  declare id: number;

  @Column({ type: 'integer' })
  declare endpointId: number;

  @Column({ type: 'text', default: '' })
  declare description: string;

  /** Null: all, those that are yet to come included. Kinds of a plugin that was removed stay, and nothing is sent for them. */
  @Column({ type: 'text', array: true, nullable: true })
  declare events: string[] | null;

  @Column({ type: 'boolean', default: true })
  declare enabled: boolean;

  /** What its deliveries are signed with. */
  @Column({ type: 'text' })
  declare sealedSecret: string;

  /** The one before, which signs as well until it expires. */
  @Column({ type: 'text', nullable: true })
  declare sealedPreviousSecret: string | null;

  @Column({ type: 'timestamptz', nullable: true })
  declare previousExpiresAt: Date | null;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  declare secretCreatedAt: Date;
}
