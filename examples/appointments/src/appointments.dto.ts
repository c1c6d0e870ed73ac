import { ApiProperty, EnumField, PageQuery, StringField, UrlField } from 'prosa/plugin';
import { type Appointment, type Status, STATUSES } from './appointment.entity.js';

const CUSTOMER = { max: 255, description: 'Who comes', example: 'Ana Souza' };
const START = {
  max: 40,
  description: 'When it begins, with its offset from UTC',
  example: '2030-05-20T14:00:00Z',
};

export class CreateAppointmentRequest {
  @StringField(CUSTOMER)
  declare customer_name: string;

  @StringField(START)
  declare starts_at: string;

  @UrlField({ optional: true, nullable: true, description: 'Receives a notification of the booking' })
  declare webhook_url?: string | null;
}

export class UpdateAppointmentRequest {
  @StringField({ ...CUSTOMER, optional: true, filled: true })
  declare customer_name?: string;

  @StringField({ ...START, optional: true, filled: true })
  declare starts_at?: string;

  @EnumField(['booked', 'cancelled'], { optional: true, description: 'A cancelled one does not expire' })
  declare status?: 'booked' | 'cancelled';
}

export class AppointmentsQuery extends PageQuery {
  @EnumField(STATUSES, { optional: true, description: 'Only those in this state' })
  declare status?: Status;
}

export class AppointmentResponse {
  @ApiProperty({ type: 'integer', description: 'Id of the appointment' })
  declare id: number;

  @ApiProperty({ description: 'Who comes' })
  declare customer_name: string;

  @ApiProperty({ format: 'date-time', description: 'When it begins' })
  declare starts_at: string;

  @ApiProperty({ enum: STATUSES, description: 'State of the appointment' })
  declare status: Status;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'The assistant that booked it; null for a person',
  })
  declare assistant_id: number | null;
}

export function toAppointmentResponse(appointment: Appointment): AppointmentResponse {
  const { id, customerName, startsAt, status, assistantId } = appointment;
  return {
    id,
    customer_name: customerName,
    starts_at: startsAt.toISOString(),
    status,
    assistant_id: assistantId,
  };
}
