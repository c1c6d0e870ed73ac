import { ApiProperty } from '@nestjs/swagger';
import { BooleanField } from '../../../common/http/fields.js';
import { CountryField } from '../../../common/http/fields/phone-fields.js';
import { TimeZoneField } from '../../../common/http/fields/time-fields.js';
import type { AccountSettings } from '../accounts.repository.js';

const COUNTRY = 'Phone numbers written without a country code are read as numbers of this country';
const TIME_ZONE =
  'Days of filters (`date_from`, `date_to`) and times without a zone of their own are those of this zone';

const CALL_SHARING =
  'Whether people of the account may make links by which others read and hear a call. While it is off, earlier links do not work';

export class AccountSettingsRequest {
  @CountryField({ optional: true, description: COUNTRY, example: 'BR' })
  declare country?: string;

  @TimeZoneField({ optional: true, description: TIME_ZONE })
  declare timezone?: string;

  @BooleanField({ optional: true, description: CALL_SHARING })
  declare call_sharing?: boolean;
}

export class AccountSettingsResponse {
  @ApiProperty({ example: 'BR', description: COUNTRY })
  declare country: string;

  @ApiProperty({ example: 'America/Sao_Paulo', description: TIME_ZONE })
  declare timezone: string;

  @ApiProperty({ description: CALL_SHARING })
  declare call_sharing: boolean;
}

export function changesOf(request: AccountSettingsRequest): Partial<AccountSettings> {
  const { country, timezone, call_sharing: isCallSharingOn } = request;
  return { defaultCountry: country, timezone, isCallSharingOn };
}

export function toSettingsResponse(settings: AccountSettings): AccountSettingsResponse {
  const { defaultCountry, timezone, isCallSharingOn } = settings;
  return { country: defaultCountry, timezone, call_sharing: isCallSharingOn };
}
