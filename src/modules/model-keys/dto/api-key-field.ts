import { StringField } from '../../../common/http/fields.js';

/** Visible ASCII, as a header's value may have; or a masked key, as it was read. */
const API_KEY = /^(••••)?[\x21-\x7e]*$/;

/** The key of a provider. */
export function ApiKeyField(): PropertyDecorator {
  return StringField({
    optional: true,
    filled: true,
    max: 512,
    pattern: { regex: API_KEY, key: 'validation.characters' },
    description:
      'Needed for another server than that of the stored one; left out, or masked as it was read, the stored one stays',
    example: 'sk-0123456789abcdef',
  });
}
