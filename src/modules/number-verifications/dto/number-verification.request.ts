import { EnumField, IdField, StringField } from '../../../common/http/fields.js';
import { verificationText } from '../verification.texts.js';
import { VERIFICATION_LANGUAGES, type VerificationLanguage } from '../number-verification.entity.js';

export class RequestVerificationRequest {
  @StringField({
    max: 64,
    description: 'E.164; without country code, a number of the country of the account',
    example: '+5511998765432',
  })
  declare phone_number: string;

  @IdField({
    optional: true,
    nullable: true,
    description: 'A number rented from the installation to call from; any of them when left out',
  })
  declare phone_number_id?: number | null;

  @EnumField(VERIFICATION_LANGUAGES, {
    optional: true,
    nullable: true,
    description: 'What is spoken; when left out, Portuguese where the number is of a country that speaks it',
  })
  declare language?: VerificationLanguage | null;
}

export class ConfirmVerificationRequest {
  @StringField({
    max: 16,
    pattern: { regex: /^\d{6}$/, key: verificationText('verifications.code_format') },
    description: 'The six digits that were spoken',
    example: '482915',
  })
  declare code: string;
}
