import { ApiProperty } from '@nestjs/swagger';
import { CountryField, TimeZoneField } from '../../../common/http/fields.js';
import type { AccountSettings } from '../accounts.repository.js';

const COUNTRY = 'Phone numbers written without a country code are read as numbers of this country';
const TIME_ZONE =
  'Days of filters (`date_from`, `date_to`) and times without a zone of their own are those of this zone';

export class AccountSettingsRequest {
  @CountryField({ optional: true, description: COUNTRY, example: 'BR' })
  declare country?: string;

  @TimeZoneField({ optional: true, description: TIME_ZONE })
  declare timezone?: string;
}

export class AccountSettingsResponse {
  @ApiProperty({ example: 'BR', description: COUNTRY })
  declare country: string;

  @ApiProperty({ example: 'America/Sao_Paulo', description: TIME_ZONE })
  declare timezone: string;
}

export function changesOf({ country, timezone }: AccountSettingsRequest): Partial<AccountSettings> {
  return { defaultCountry: country, timezone };
}

export function toSettingsResponse({ defaultCountry, timezone }: AccountSettings): AccountSettingsResponse {
  return { country: defaultCountry, timezone };
}
