import { IntegerQuery } from '../../../common/http/fields.js';

export class SampleQuery {
  @IntegerQuery({ min: 1, description: 'Language of the greeting; else the first one of the voice' })
  declare language_id?: number;
}
