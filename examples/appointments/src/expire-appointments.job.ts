import { defineSweep } from 'prosa/plugin';

/** Appointments that are booked and whose time is over expire. */
export const expireAppointmentsJob = defineSweep({ name: 'appointments-expire', everyMs: 5_000 });
