import { ApiProperty, type WebhookEventDefinition } from 'prosa/plugin';
import type { Appointment } from './appointment.entity.js';

export class AppointmentCreatedPayload {
  @ApiProperty({ type: 'integer', description: 'Id of the appointment' })
  declare id: number;

  @ApiProperty({ description: 'Who comes' })
  declare customer_name: string;

  @ApiProperty({ format: 'date-time', description: 'When it begins' })
  declare starts_at: string;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'The assistant that booked it; null for a person',
  })
  declare assistant_id: number | null;
}

/** Goes to all webhook endpoints of the account that want it, for bookings of any caller. */
export const createdEvent = {
  kind: 'appointments.created',
  payload: AppointmentCreatedPayload,
  when: 'When an appointment is booked',
  published: true,
} as const satisfies WebhookEventDefinition;

export function createdPayload(appointment: Appointment): AppointmentCreatedPayload {
  const { id, customerName, startsAt, assistantId } = appointment;
  return { id, customer_name: customerName, starts_at: startsAt.toISOString(), assistant_id: assistantId };
}
