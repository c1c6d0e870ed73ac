import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsString, isISO31661Alpha2, MaxLength, ValidateBy } from 'class-validator';
import { plainNumber } from '../../phone/written-number.js';
import { StringField } from '../fields.js';
import { field, type FieldOptions, issueText } from './field.js';

/**
 * A phone number in any form in which people write it. Its country may be missing: the service makes it E.164 with `toE164`
 * and the country of the account.
 */
export function PhoneField(options: FieldOptions = {}): PropertyDecorator {
  const isNumber = (value: unknown) => {
    const digits = typeof value === 'string' ? plainNumber(value)?.replaceAll(/\D/g, '') : undefined;
    return digits !== undefined && digits.length >= MIN_PHONE_DIGITS && digits.length <= MAX_PHONE_DIGITS;
  };
  return field(
    { example: '+5511987654321', ...options },
    { type: String, maxLength: MAX_PHONE_LENGTH },
    IsString(issueText('validation.string')),
    MaxLength(MAX_PHONE_LENGTH, issueText('validation.max_length', { max: MAX_PHONE_LENGTH })),
    ValidateBy({ name: 'isPhone', validator: { validate: isNumber } }, issueText('validation.phone')),
  );
}

const MIN_PHONE_DIGITS = 3;
/** Of E.164 and a prefix for calls abroad. */
const MAX_PHONE_DIGITS = 18;
const MAX_PHONE_LENGTH = 40;

/** A country by its two letters, in either case; stored in capitals. */
export function CountryField(options: FieldOptions = {}): PropertyDecorator {
  const isCountry = (value: unknown) => isISO31661Alpha2(value);
  return applyDecorators(
    Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.toUpperCase() : value)),
    StringField({ example: 'US', ...options }),
    ValidateBy({ name: 'isCountry', validator: { validate: isCountry } }, issueText('validation.country')),
  );
}
