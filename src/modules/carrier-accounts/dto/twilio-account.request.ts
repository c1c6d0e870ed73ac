import { StringField } from '../../../common/http/fields.js';

const ACCOUNT_SID = /^AC[0-9a-f]{32}$/;
/** Visible ASCII, as a password of HTTP Basic; or the mask. */
const AUTH_TOKEN = /^([\x21-\x7e]+|••••)$/;

export class PutTwilioAccountRequest {
  @StringField({
    pattern: { regex: ACCOUNT_SID, key: 'carrier_accounts.account_sid' },
    max: 34,
    description: 'Of the account, or better a subaccount, at Twilio',
    example: 'AC0123456789abcdef0123456789abcdef',
  })
  declare account_sid: string;

  @StringField({
    optional: true,
    filled: true,
    max: 256,
    pattern: { regex: AUTH_TOKEN, key: 'validation.characters' },
    description:
      'Needed for another account_sid than the stored one; left out, or masked as it was read, the stored one stays',
    example: '0123456789abcdef0123456789abcdef',
  })
  declare auth_token?: string;

  @StringField({
    optional: true,
    nullable: true,
    max: 100,
    description: 'A name of your choice',
    example: 'Vendas',
  })
  declare label?: string | null;
}
