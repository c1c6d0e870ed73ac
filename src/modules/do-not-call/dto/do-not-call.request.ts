import { EnumField, StringField } from '../../../common/http/fields.js';
import { AGE_SORTS, PageQuery } from '../../../common/http/page.js';

/** Each has an index. */
const DO_NOT_CALL_SORTS = [...AGE_SORTS, 'number'] as const;
export type DoNotCallSort = (typeof DO_NOT_CALL_SORTS)[number];

const PHONE_NUMBER = {
  max: 64,
  description: 'Without country code, a number of the country of the account',
  example: '+5511998765432',
};

export class AddDoNotCallRequest {
  @StringField(PHONE_NUMBER)
  declare phone_number: string;

  @StringField({
    optional: true,
    nullable: true,
    max: 255,
    description: 'Why the number is not to be called, for people',
  })
  declare reason?: string | null;
}

export class DoNotCallQuery extends PageQuery {
  @StringField({ ...PHONE_NUMBER, optional: true, filled: true })
  declare phone_number?: string;

  @EnumField(DO_NOT_CALL_SORTS, {
    optional: true,
    default: 'newest',
    description: 'Which entries come first; number: by phone number, from +0 to +9',
  })
  declare sort?: DoNotCallSort;
}
