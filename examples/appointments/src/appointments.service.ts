import {
  Handles,
  Injectable,
  type PageOf,
  type PageRequest,
  Transactions,
  ValidationFailedError,
  WebhookEventsService,
} from 'prosa/plugin';
import type { Appointment, Status } from './appointment.entity.js';
import { AppointmentNotFoundError } from './appointments.errors.js';
import { AppointmentsRepository } from './appointments.repository.js';
import { appointmentsTexts as t } from './appointments.texts.js';
import { bookedEvent, bookedPayload } from './booked.event.js';
import { createdEvent, createdPayload } from './created.event.js';
import { expireAppointmentsJob } from './expire-appointments.job.js';

export interface Booking {
  readonly customerName: string;
  readonly startsAt: string;
  readonly assistantId?: number;
  /** Receives a notification of the booking; null for none. */
  readonly webhookUrl?: string | null;
}

@Injectable()
export class AppointmentsService {
  constructor(
    private readonly appointments: AppointmentsRepository,
    private readonly transactions: Transactions,
    private readonly webhooks: WebhookEventsService,
  ) {}

  list(userId: number, status: Status | undefined, page: PageRequest): Promise<PageOf<Appointment>> {
    return this.appointments.page(userId, status, page);
  }

  /** @throws AppointmentNotFoundError */
  async get(userId: number, id: number): Promise<Appointment> {
    const appointment = await this.appointments.find(userId, id);
    if (!appointment) throw new AppointmentNotFoundError();
    return appointment;
  }

  /** Row and events are written in one transaction, so none of them is ever there without the others. */
  async book(
    userId: number,
    { customerName, startsAt, assistantId, webhookUrl }: Booking,
  ): Promise<Appointment> {
    const time = futureTime(startsAt);
    const { appointment, isTold } = await this.transactions.run(async (tx) => {
      const appointment = await this.appointments.add(
        { userId, assistantId: assistantId ?? null, customerName, startsAt: time },
        tx,
      );
      const subjectId = String(appointment.id);
      const isWanted = await this.webhooks.publish(
        { userId, kind: createdEvent.kind, subjectId, payload: createdPayload(appointment) },
        tx,
      );
      if (webhookUrl) {
        const payload = bookedPayload(appointment);
        await this.webhooks.enqueue(
          { userId, kind: bookedEvent.kind, assistantId, subjectId, url: webhookUrl, payload },
          tx,
        );
      }
      return { appointment, isTold: isWanted || Boolean(webhookUrl) };
    });
    if (isTold) this.webhooks.wake();
    return appointment;
  }

  /** @throws AppointmentNotFoundError */
  async update(
    userId: number,
    id: number,
    { customerName, startsAt, status }: { customerName?: string; startsAt?: string; status?: Status },
  ): Promise<Appointment> {
    const changes = {
      ...(customerName === undefined ? {} : { customerName }),
      ...(startsAt === undefined ? {} : { startsAt: futureTime(startsAt) }),
      ...(status === undefined ? {} : { status }),
    };
    if (!(await this.appointments.update(userId, id, changes))) throw new AppointmentNotFoundError();
    return this.get(userId, id);
  }

  /** @throws AppointmentNotFoundError */
  async delete(userId: number, id: number): Promise<void> {
    if (!(await this.appointments.delete(userId, id))) throw new AppointmentNotFoundError();
  }

  /** Returns how many have expired. */
  @Handles(expireAppointmentsJob)
  expire(): Promise<number> {
    return this.appointments.expire(1_000);
  }
}

function futureTime(text: string): Date {
  const time = new Date(text);
  if (time.getTime() > Date.now()) return time;
  throw ValidationFailedError.of('starts_at', t('appointments.starts_at'));
}
