import {
  assistantTool,
  type AssistantToolDefinition,
  AssistantToolForm,
  AssistantToolHandler,
  Injectable,
  type RuntimeTool,
  StringField,
  type ToolOwner,
  type ToolSettings,
  UrlField,
  ValidationFailedError,
} from 'prosa/plugin';
import { AppointmentsService } from './appointments.service.js';

/** What the owner of an assistant sets when it gets the tool. */
export class BookAppointmentForm extends AssistantToolForm {
  @StringField({ optional: true, nullable: true, max: 500, description: 'When to offer an appointment' })
  declare description?: string | null;

  @UrlField({ optional: true, nullable: true, description: 'Receives a notification of each booking' })
  declare webhook_url?: string | null;
}

@Injectable()
export class BookAppointmentHandler extends AssistantToolHandler {
  constructor(private readonly appointments: AppointmentsService) {
    super();
  }

  tools(settings: ToolSettings, { userId, assistantId }: ToolOwner): readonly RuntimeTool[] {
    const { description, webhook_url: webhookUrl } = settings as ToolSettings & BookAppointmentForm;
    return [
      assistantTool({
        name: 'schedule_visit',
        description: `Schedules a visit (agenda uma visita) for a customer. ${description ?? ''}`.trim(),
        parameters: [
          { name: 'customer_name', type: 'string', description: 'Name of the customer', required: true },
          {
            name: 'starts_at',
            type: 'string',
            description: 'When it begins, as 2030-05-20T14:00:00Z',
            required: true,
          },
        ],
        run: async (args) => {
          try {
            const booked = await this.appointments.book(userId, {
              customerName: String(args['customer_name']),
              startsAt: String(args['starts_at']),
              assistantId,
              webhookUrl,
            });
            return { booked: true, id: booked.id, starts_at: booked.startsAt.toISOString() };
          } catch (error) {
            // The model can ask for another time; everything else is a fault, which is logged.
            if (!(error instanceof ValidationFailedError)) throw error;
            return {
              error: 'starts_at must be a date and time in the future, such as 2030-05-20T14:00:00Z.',
            };
          }
        },
      }),
    ];
  }
}

export const bookAppointmentTool: AssistantToolDefinition = {
  type: 'appointments.book',
  names: ['schedule_visit'],
  form: BookAppointmentForm,
  handler: BookAppointmentHandler,
};
