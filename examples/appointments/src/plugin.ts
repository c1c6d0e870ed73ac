import { definePlugin } from 'prosa/plugin';
import { Appointment } from './appointment.entity.js';
import { AppointmentsModule } from './appointments.module.js';
import { appointmentsTexts } from './appointments.texts.js';
import { bookAppointmentTool } from './book-appointment.tool.js';
import { bookedEvent } from './booked.event.js';
import { createdEvent } from './created.event.js';
import { expireAppointmentsJob } from './expire-appointments.job.js';
import { Appointments1767225600000 } from './migrations/1767225600000-appointments.js';

export default definePlugin({
  name: 'appointments',
  prosa: '>=0.2.0 <1.0.0',
  module: AppointmentsModule,
  entities: [Appointment],
  migrations: [Appointments1767225600000],
  texts: appointmentsTexts,
  tags: [{ name: 'Appointments', description: 'Appointments, booked by people and by assistants.' }],
  errorExamples: [
    {
      operation: /\/api\/user\/appointments\//,
      status: 404,
      text: appointmentsTexts('appointments.not_found'),
    },
  ],
  jobs: [expireAppointmentsJob],
  tools: [bookAppointmentTool],
  webhookEvents: [bookedEvent, createdEvent],
  console: {
    title: { pt: 'Agendamentos', en: 'Appointments' },
    folder: new URL('../console/', import.meta.url),
  },
});
