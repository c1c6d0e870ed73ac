import { Module } from 'prosa/plugin';
import { AppointmentsController } from './appointments.controller.js';
import { AppointmentsRepository } from './appointments.repository.js';
import { AppointmentsService } from './appointments.service.js';
import { BookAppointmentHandler } from './book-appointment.tool.js';

@Module({
  controllers: [AppointmentsController],
  providers: [AppointmentsRepository, AppointmentsService, BookAppointmentHandler],
})
export class AppointmentsModule {}
