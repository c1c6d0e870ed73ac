import { Check, Column, CreateDateColumn, Entity, Index, PrimaryGeneratedColumn } from 'prosa/plugin';

export const STATUSES = ['booked', 'cancelled', 'expired'] as const;
export type Status = (typeof STATUSES)[number];

@Entity('appointments_bookings')
@Index('appointments_bookings_user_id_idx', ['userId', 'id'])
@Index('appointments_bookings_due_idx', ['startsAt'], { where: "(status = 'booked'::text)" })
@Check('appointments_bookings_status_known', "status IN ('booked', 'cancelled', 'expired')")
export class Appointment {
  @PrimaryGeneratedColumn('identity', { type: 'integer', generatedIdentity: 'BY DEFAULT' })
  declare id: number;

  @Column({ type: 'integer' })
  declare userId: number;

  /** The assistant that booked it; null for a person. */
  @Column({ type: 'integer', nullable: true })
  declare assistantId: number | null;

  @Column({ type: 'text' })
  declare customerName: string;

  @Column({ type: 'timestamptz' })
  declare startsAt: Date;

  @Column({ type: 'text', default: 'booked' })
  declare status: Status;

  @CreateDateColumn({ type: 'timestamptz' })
  declare createdAt: Date;
}
