import { ApiProperty, type WebhookEventDefinition } from 'prosa/plugin';
import type { Appointment } from './appointment.entity.js';

export class AppointmentBookedPayload {
  @ApiProperty({ enum: ['appointments.booked'], description: 'Always `appointments.booked`' })
  declare event: 'appointments.booked';

  @ApiProperty({ type: 'integer', description: 'Id of the appointment' })
  declare id: number;

  @ApiProperty({ description: 'Who comes' })
  declare customer_name: string;

  @ApiProperty({ format: 'date-time', description: 'When it begins' })
  declare starts_at: string;
}

export const bookedEvent = {
  kind: 'appointments.booked',
  payload: AppointmentBookedPayload,
  when: 'When an appointment is booked with a `webhook_url`',
} as const satisfies WebhookEventDefinition;

export function bookedPayload({ id, customerName, startsAt }: Appointment): AppointmentBookedPayload {
  return { event: bookedEvent.kind, id, customer_name: customerName, starts_at: startsAt.toISOString() };
}
