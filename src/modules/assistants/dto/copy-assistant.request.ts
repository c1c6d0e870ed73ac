import { StringField } from '../../../common/http/fields.js';

export class CopyAssistantRequest {
  @StringField({ max: 255, description: 'Name of the copy', example: 'Recepção (cópia)' })
  declare name: string;
}
