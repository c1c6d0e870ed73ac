import { defineTexts } from 'prosa/plugin';

export const appointmentsTexts = defineTexts({
  'appointments.created': { pt: 'Agendamento criado com sucesso', en: 'Appointment created' },
  'appointments.updated': { pt: 'Agendamento atualizado com sucesso', en: 'Appointment updated' },
  'appointments.deleted': { pt: 'Agendamento excluído com sucesso', en: 'Appointment deleted' },
  'appointments.not_found': { pt: 'Agendamento não encontrado', en: 'Appointment not found' },
  'appointments.starts_at': {
    pt: 'O campo {field} deve ser uma data e hora no futuro, como 2030-05-20T14:00:00Z.',
    en: 'The {field} field must be a date and time in the future, such as 2030-05-20T14:00:00Z.',
  },
});
