import { Database, Injectable, type PageOf, type PageRequest, type Tx } from 'prosa/plugin';
import { Appointment, type Status } from './appointment.entity.js';

export type NewAppointment = Pick<Appointment, 'userId' | 'assistantId' | 'customerName' | 'startsAt'>;

/** The account is in each query: that is what keeps tenants apart. */
@Injectable()
export class AppointmentsRepository {
  constructor(private readonly database: Database) {}

  add(appointment: NewAppointment, tx: Tx): Promise<Appointment> {
    const manager = this.database.manager(tx);
    return manager.save(manager.create(Appointment, appointment));
  }

  find(userId: number, id: number): Promise<Appointment | null> {
    return this.database.manager().findOneBy(Appointment, { userId, id });
  }

  /** Newest first. */
  async page(
    userId: number,
    status: Status | undefined,
    { page, perPage }: PageRequest,
  ): Promise<PageOf<Appointment>> {
    const [rows, total] = await this.database.manager().findAndCount(Appointment, {
      where: { userId, ...(status ? { status } : {}) },
      order: { id: 'DESC' },
      skip: (page - 1) * perPage,
      take: perPage,
    });
    return { rows, total };
  }

  async update(userId: number, id: number, changes: Partial<Appointment>): Promise<boolean> {
    // A statement without a column to set is none.
    if (Object.keys(changes).length === 0) return (await this.find(userId, id)) !== null;
    const { affected } = await this.database.manager().update(Appointment, { userId, id }, changes);
    return affected === 1;
  }

  async delete(userId: number, id: number): Promise<boolean> {
    const { affected } = await this.database.manager().delete(Appointment, { userId, id });
    return affected === 1;
  }

  /** Marks up to `limit` appointments whose time is over. Returns how many. */
  async expire(limit: number): Promise<number> {
    const rows = await this.database.query(
      `UPDATE appointments_bookings SET status = 'expired' WHERE id IN (
         SELECT id FROM appointments_bookings WHERE status = 'booked' AND starts_at < now()
         ORDER BY starts_at LIMIT $1 FOR UPDATE SKIP LOCKED) RETURNING id`,
      [limit],
    );
    return rows.length;
  }
}
