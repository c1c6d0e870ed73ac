import { StringField } from '../../../common/http/fields.js';

export class CreateApiKeyRequest {
  @StringField({ max: 255, description: 'Label of the key', example: 'CRM' })
  declare name: string;
}
