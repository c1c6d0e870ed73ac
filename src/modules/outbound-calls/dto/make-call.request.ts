import { IdField, ObjectField, StringField } from '../../../common/http/fields.js';

export class MakeCallRequest {
  @StringField({
    max: 64,
    description: 'E.164; without country code, a number of the country of the account',
    example: '+5511998765432',
  })
  declare phone_number: string;

  @IdField({ description: 'An assistant of the account, active or not' })
  declare assistant_id: number;

  @ObjectField({ optional: true, nullable: true, description: 'For the placeholders of the prompt' })
  declare variables?: Record<string, unknown> | null;
}
