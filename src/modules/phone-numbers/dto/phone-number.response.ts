import { ApiProperty, OmitType, PickType } from '@nestjs/swagger';
import {
  NullableInteger,
  NullableMoment,
  NullableOf,
  NullableText,
  NumberedResponse,
} from '../../../common/http/response-fields.js';
import type { NumberOffer } from '../../../providers/telephony/number-carrier.js';
import { say } from '../../../i18n/catalogue.js';
import { dollarsOf } from '../../billing/money.js';
import type { AdoptableNumber } from '../carrier-numbers/number-adoptions.service.js';
import { ROUTING_ACTIONS } from '../../../common/phone/call-routing.js';
import { PHONE_NUMBER_TYPES, type PhoneNumber } from '../phone-number.entity.js';
import { formatPhone } from '../phone-text.js';

/** What an update returns. */
export class PhoneNumberResponse extends NumberedResponse {
  @ApiProperty({ example: '+12125550100', description: 'International form, with a leading plus sign' })
  declare phone_number: string;

  @NullableText({ description: 'Name for people, at most 50 characters; null for none', example: 'Vendas' })
  declare nickname: string | null;

  @ApiProperty({ example: 'US', description: 'ISO 3166 code of two letters' })
  declare country_code: string;

  @ApiProperty({ enum: PHONE_NUMBER_TYPES, description: 'Kind' })
  declare type: string;
}

/** An item of the lists. */
export class ListedPhoneNumberResponse extends PhoneNumberResponse {
  @ApiProperty({ description: 'Text for people', example: 'Número dedicado' })
  declare type_label: string;

  @ApiProperty({ description: 'Whether the number can send text messages' })
  declare sms_capable: boolean;

  @NullableText({ description: 'Where the carrier keeps a rented number', example: 'São Paulo' })
  declare region: string | null;

  @ApiProperty({ description: 'Whether it is rented by the month' })
  declare has_active_subscription: boolean;

  @ApiProperty({ format: 'date-time', description: 'When it was made, ISO 8601 in UTC' })
  declare created_at: string;
}

/** Who answers the calls of a number at the moment. */
export class RoutingNowResponse {
  @ApiProperty({
    type: Boolean,
    nullable: true,
    description: 'Whether it is within the hours of the number; null where the number has no hours',
  })
  declare open: boolean | null;

  @ApiProperty({
    enum: ROUTING_ACTIONS,
    description: 'What is done with a call; `busy`, `reject`: the caller is turned away',
  })
  declare action: string;

  @NullableInteger({ description: 'The assistant that answers; null for other actions' })
  declare assistant_id: number | null;

  @NullableText({ description: 'Its name', example: 'Recepção' })
  declare assistant_name: string | null;

  @NullableText({
    example: '+551130000009',
    description: 'Where calls are forwarded to; null for other actions than `forward`',
  })
  declare phone_number: string | null;
}

/** A number with who answers its calls. */
export class RoutedPhoneNumberResponse extends ListedPhoneNumberResponse {
  @NullableOf(
    RoutingNowResponse,
    'Who answers now, if lines and balance suffice; null for a number of another account, and for a `caller_id`, which receives no calls',
  )
  declare routing: RoutingNowResponse | null;
}

/** What a purchase returns. */
export class PurchasedNumberResponse extends PickType(ListedPhoneNumberResponse, [
  'id',
  'phone_number',
  'country_code',
  'sms_capable',
]) {
  @ApiProperty({ enum: ['normal'], description: 'Kind' })
  declare type: string;
}

/** A number of a carrier that no account here has. */
class CarrierNumberResponse extends OmitType(PurchasedNumberResponse, ['id', 'type']) {
  @ApiProperty({ example: '+1 212 555 0100', description: 'As it is written in its country' })
  declare phone_number_formatted: string;
}

/** A number that can be rented. */
export class OfferedNumberResponse extends CarrierNumberResponse {
  @ApiProperty({ description: 'US dollars a month', example: 3.99 })
  declare price: number;

  @NullableText({ description: 'Always null: rent is paid from the balance' })
  declare stripe_price_id: string | null;

  @ApiProperty({
    enum: ['none', 'local', 'foreign', 'inventory'],
    description: 'What the carrier asks for before it rents the number',
  })
  declare address_requirements: string;
}

/** A number of the caller’s account at Twilio. */
export class AdoptableNumberResponse extends CarrierNumberResponse {
  @ApiProperty({ description: 'At Twilio', example: `PN${'0'.repeat(32)}` })
  declare sid: string;

  @NullableText({ description: 'Its name at Twilio' })
  declare friendly_name: string | null;

  @ApiProperty({
    description: 'Its calls go to an application or a trunk there, which has to be undone there first',
  })
  declare is_bound: boolean;
}

export function toPhoneNumberResponse(number: PhoneNumber): PhoneNumberResponse {
  return {
    id: number.id,
    phone_number: number.phoneNumber,
    nickname: number.nickname,
    country_code: number.countryCode,
    type: number.type,
  };
}

export function toListedPhoneNumberResponse(number: PhoneNumber): ListedPhoneNumberResponse {
  return {
    id: number.id,
    phone_number: number.phoneNumber,
    nickname: number.nickname,
    country_code: number.countryCode,
    type: number.type,
    type_label: typeLabelOf(number),
    sms_capable: number.smsCapable,
    region: number.region,
    has_active_subscription: number.type === 'normal',
    created_at: number.createdAt.toISOString(),
  };
}

export function toPurchasedNumberResponse(number: PhoneNumber): PurchasedNumberResponse {
  return {
    id: number.id,
    phone_number: number.phoneNumber,
    country_code: number.countryCode,
    type: number.type,
    sms_capable: number.smsCapable,
  };
}

export function toOfferedNumberResponse(offer: NumberOffer): OfferedNumberResponse {
  return {
    phone_number: offer.e164,
    phone_number_formatted: formatPhone(offer.e164),
    country_code: offer.countryCode,
    price: dollarsOf(offer.monthlyPriceMicros),
    stripe_price_id: null,
    address_requirements: offer.addressRequirement,
    sms_capable: offer.smsCapable,
  };
}

export function toAdoptableNumberResponse(number: AdoptableNumber): AdoptableNumberResponse {
  return {
    sid: number.id,
    phone_number: number.e164,
    phone_number_formatted: formatPhone(number.e164),
    friendly_name: number.name,
    country_code: number.countryCode,
    sms_capable: number.smsCapable,
    is_bound: number.isBound,
  };
}

export class NumberRentResponse {
  @ApiProperty({ description: 'Identifier of the number' })
  declare phone_number_id: number;

  @ApiProperty({ description: 'International form, with a leading plus sign', example: '+12125550100' })
  declare phone_number: string;

  @ApiProperty({ description: 'Price of each month, in US dollars', example: 3.99 })
  declare price: number;

  @ApiProperty({ format: 'date-time', description: 'When the first month begins that is not paid' })
  declare due_at: string;

  @NullableMoment('When a month that was due could not be paid for the first time; null while all are paid')
  declare unpaid_since: string | null;
}

export function toNumberRentResponse(number: PhoneNumber): NumberRentResponse {
  return {
    phone_number_id: number.id,
    phone_number: number.phoneNumber,
    price: dollarsOf(number.monthlyPriceMicros ?? 0),
    due_at: number.rentDueAt?.toISOString() ?? '',
    unpaid_since: number.rentUnpaidSince?.toISOString() ?? null,
  };
}

/** What people call the type of a number. */
export function typeLabelOf({ type }: Pick<PhoneNumber, 'type'>): string {
  return say(`phone_numbers.type_${type}`);
}
