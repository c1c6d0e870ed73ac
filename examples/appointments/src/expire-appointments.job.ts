import { defineSweep, JobProcessor, ProcessorOf } from 'prosa/plugin';
import { AppointmentsService } from './appointments.service.js';

/** Appointments that are booked and whose time is over expire. */
export const expireAppointmentsJob = defineSweep({ name: 'appointments-expire', everyMs: 5_000 });

@ProcessorOf(expireAppointmentsJob)
export class ExpireAppointmentsProcessor extends JobProcessor<typeof expireAppointmentsJob> {
  constructor(private readonly appointments: AppointmentsService) {
    super(expireAppointmentsJob);
  }

  protected handle(): Promise<number> {
    return this.appointments.expire();
  }
}
