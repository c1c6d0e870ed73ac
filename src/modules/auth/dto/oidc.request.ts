import { StringField } from '../../../common/http/fields.js';

export class OidcStartQuery {
  @StringField({
    optional: true,
    max: 2_000,
    description: 'A path of the console, to show after the sign-in',
    example: '/app/inbox',
  })
  declare to?: string;
}

export class ConfirmPasswordRequest {
  @StringField({
    max: 256,
    description: 'The password of the existing e-mail',
    example: 'correct horse battery',
  })
  declare password: string;
}
