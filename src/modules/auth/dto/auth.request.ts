import { CountryField } from '../../../common/http/fields/phone-fields.js';
import { EmailField, StringField } from '../../../common/http/fields.js';
import { TimeZoneField } from '../../../common/http/fields/time-fields.js';

const MAX_PASSWORD = 256;

export class LoginRequest {
  @EmailField({ description: 'Email address of the account' })
  declare email: string;

  @StringField({
    max: MAX_PASSWORD,
    description: 'Password of the account',
    example: 'correct horse battery',
  })
  declare password: string;
}

export class BeginSessionRequest {
  @EmailField({
    optional: true,
    description: 'Needed with the password, unless an API key is sent as bearer token',
  })
  declare email?: string;

  @StringField({
    optional: true,
    max: MAX_PASSWORD,
    description: 'Password of the account',
    example: 'correct horse battery',
  })
  declare password?: string;
}

export class ChangePasswordRequest {
  @StringField({ max: MAX_PASSWORD, example: 'correct horse battery', description: 'The password until now' })
  declare current_password: string;

  @StringField({
    min: 8,
    max: MAX_PASSWORD,
    description: 'Neither a common one nor the person’s e-mail',
    example: 'horse staple battery',
  })
  declare password: string;
}

export class RegisterRequest {
  @StringField({ max: 255, description: 'Name, for people', example: 'recepcao' })
  declare name: string;

  @EmailField({ description: 'Email address of the account' })
  declare email: string;

  @StringField({
    min: 8,
    max: MAX_PASSWORD,
    description: 'Neither a common one nor the person’s e-mail',
    example: 'correct horse battery',
  })
  declare password: string;

  @TimeZoneField({ optional: true, default: 'America/Sao_Paulo', description: 'IANA name of the time zone' })
  declare timezone?: string;

  @CountryField({
    optional: true,
    default: 'BR',
    example: 'BR',
    description: 'Phone numbers written without a country code are read as numbers of this country',
  })
  declare country?: string;
}

export class SignInLinkRequest {
  @StringField({ max: 100, description: 'The secret of the link', example: 'prosa_login_…' })
  declare token: string;
}

export class ForgottenPasswordRequest {
  @EmailField({ description: 'Email address of the person' })
  declare email: string;
}

export class ResetPasswordRequest {
  @StringField({ max: 100, description: 'The secret of the link', example: 'prosa_reset_…' })
  declare token: string;

  @StringField({
    min: 8,
    max: MAX_PASSWORD,
    description: 'Neither a common one nor the person’s e-mail',
    example: 'horse staple battery',
  })
  declare password: string;
}

export class JoinRequest {
  @StringField({ max: 100, description: 'The secret of the invitation', example: 'prosa_inv_…' })
  declare token: string;

  @StringField({ max: 255, example: 'Bia', description: 'Name, for people' })
  declare name: string;

  @StringField({
    min: 8,
    max: MAX_PASSWORD,
    description: 'Neither a common one nor the person’s e-mail',
    example: 'correct horse battery',
  })
  declare password: string;
}
