import { BooleanField, StringField } from '../../../common/http/fields.js';

const PHONE_NUMBER = {
  max: 64,
  description: 'Of the person. Without country code, a number of the country of the account',
  example: '+5511998765432',
};

export class ExportPersonalDataRequest {
  @StringField(PHONE_NUMBER)
  declare phone_number: string;
}

export class EraseRequest {
  @StringField(PHONE_NUMBER)
  declare phone_number: string;

  @BooleanField({
    optional: true,
    default: false,
    description:
      'Keep the number on the do-not-call list, so that it is not called again when it is imported again',
  })
  declare keep_do_not_call?: boolean;

  @BooleanField({
    optional: true,
    default: false,
    description: 'Keep documents of knowledge bases that name the number; they are deleted otherwise',
  })
  declare keep_documents?: boolean;
}
