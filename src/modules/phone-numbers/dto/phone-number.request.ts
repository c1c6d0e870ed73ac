import { applyDecorators } from '@nestjs/common';
import { ValidateBy } from 'class-validator';
import { CountryField } from '../../../common/http/fields/phone-fields.js';
import { issueText } from '../../../common/http/fields/field.js';
import { StringField } from '../../../common/http/fields.js';

const MAX_CONTAINS = 10;
const DIGITS = new RegExp(`^\\d{0,${MAX_CONTAINS}}$`);

/** Part of a number, in digits. */
export class ContainedDigitsQuery {
  @applyDecorators(
    StringField({ optional: true, description: 'Digits anywhere in the number', example: '212' }),
    ValidateBy(
      {
        name: 'isRunOfDigits',
        validator: { validate: (value) => typeof value === 'string' && DIGITS.test(value) },
      },
      issueText('phone_numbers.contains_digits', { max: MAX_CONTAINS }),
    ),
  )
  declare contains?: string;
}

export class SearchNumbersQuery extends ContainedDigitsQuery {
  @CountryField({ optional: true, description: "The account's own country when left out" })
  declare country_code?: string;
}

export class PurchaseNumberRequest {
  @StringField({ max: 64, description: 'E.164', example: '+12125550100' })
  declare phone_number: string;
}

export class AdoptNumberRequest {
  @StringField({ max: 64, description: 'E.164, or the SID of the number at Twilio', example: '+12125550100' })
  declare phone_number: string;
}

export class UpdatePhoneNumberRequest {
  @StringField({
    optional: true,
    nullable: true,
    max: 50,
    description: 'null or an empty text removes it',
    example: 'Sales line',
  })
  declare nickname?: string | null;
}
