import { EmailField, StringField } from '../../../common/http/fields.js';

export class DeleteAccountRequest {
  @EmailField({ description: 'Of the account, to confirm which one is meant', example: 'ana@example.com' })
  declare email: string;

  @StringField({
    optional: true,
    max: 256,
    description: 'Of the caller. Left out where the account has none and can use keys only',
    example: 'correct horse battery',
  })
  declare password?: string;
}
