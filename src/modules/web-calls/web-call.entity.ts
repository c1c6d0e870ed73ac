import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** What a browser needs to connect to its call, and whose browser it is. */
@Entity('web_calls')
@Index('web_calls_assistant_id_idx', ['assistantId'], { where: 'visitor IS NOT NULL' })
export class WebCall {
  @PrimaryColumn({ type: 'integer' })
  declare callId: number;

  @Column({ type: 'integer' })
  declare assistantId: number;

  /** SHA-256 of the token: the token itself is not kept. */
  @Column({ type: 'bytea' })
  declare tokenHash: Buffer;

  /** A hash of the address of a visitor; null for the owner. */
  @Column({ type: 'text', nullable: true })
  declare visitor: string | null;

  /** Until then the browser has to connect for the first time. */
  @Column({ type: 'timestamptz' })
  declare expiresAt: Date;

  /** When it did; from then on the token only takes up a broken connection again. */
  @Column({ type: 'timestamptz', nullable: true })
  declare redeemedAt: Date | null;
}
