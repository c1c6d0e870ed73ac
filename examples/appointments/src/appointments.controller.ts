import {
  ApiOk,
  ApiOperation,
  ApiPage,
  ApiReply,
  ApiTags,
  Body,
  Caller,
  Controller,
  CurrentAddress,
  Delete,
  done,
  ForUser,
  Get,
  IdParam,
  MessageResponse,
  PageAddress,
  pageRequestOf,
  Post,
  type Principal,
  Put,
  Query,
  reply,
  toPageResponse,
} from 'prosa/plugin';
import {
  AppointmentResponse,
  AppointmentsQuery,
  CreateAppointmentRequest,
  toAppointmentResponse,
  UpdateAppointmentRequest,
} from './appointments.dto.js';
import { AppointmentsService } from './appointments.service.js';
import { appointmentsTexts as t } from './appointments.texts.js';

@ApiTags('Appointments')
@ForUser()
@Controller('user/appointments')
export class AppointmentsController {
  constructor(private readonly appointments: AppointmentsService) {}

  @Get()
  @ApiOperation({ operationId: 'listAppointments', summary: 'List the appointments, newest first' })
  @ApiPage(AppointmentResponse)
  async list(
    @Caller() { userId }: Principal,
    @Query() query: AppointmentsQuery,
    @CurrentAddress() address: PageAddress,
  ) {
    const page = pageRequestOf(query);
    const found = await this.appointments.list(userId, query.status, page);
    return toPageResponse(found, page, address, toAppointmentResponse);
  }

  @Post()
  @ApiOperation({ operationId: 'createAppointment', summary: 'Book an appointment' })
  @ApiReply(AppointmentResponse, 201)
  async create(@Caller() { userId }: Principal, @Body() body: CreateAppointmentRequest) {
    const { customer_name: customerName, starts_at: startsAt, webhook_url: webhookUrl } = body;
    const booked = await this.appointments.book(userId, { customerName, startsAt, webhookUrl });
    return reply(t('appointments.created'), toAppointmentResponse(booked));
  }

  @Get(':id')
  @ApiOperation({ operationId: 'getAppointment', summary: 'Read an appointment' })
  @ApiOk(AppointmentResponse)
  async get(@Caller() { userId }: Principal, @IdParam() id: number) {
    return toAppointmentResponse(await this.appointments.get(userId, id));
  }

  @Put(':id')
  @ApiOperation({ operationId: 'updateAppointment', summary: 'Change or cancel an appointment' })
  @ApiReply(AppointmentResponse)
  async update(
    @Caller() { userId }: Principal,
    @IdParam() id: number,
    @Body() { customer_name: customerName, starts_at: startsAt, status }: UpdateAppointmentRequest,
  ) {
    const changed = await this.appointments.update(userId, id, { customerName, startsAt, status });
    return reply(t('appointments.updated'), toAppointmentResponse(changed));
  }

  @Delete(':id')
  @ApiOperation({ operationId: 'deleteAppointment', summary: 'Delete an appointment' })
  @ApiOk(MessageResponse)
  async delete(@Caller() { userId }: Principal, @IdParam() id: number) {
    await this.appointments.delete(userId, id);
    return done(t('appointments.deleted'));
  }
}
