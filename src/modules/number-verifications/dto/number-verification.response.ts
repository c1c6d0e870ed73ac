import { ApiProperty } from '@nestjs/swagger';
import { DatedResponse, NullableEnum, NullableText } from '../../../common/http/response-fields.js';
import {
  type NumberVerification,
  VERIFICATION_FAILURES,
  VERIFICATION_LANGUAGES,
  VERIFICATION_STATUSES,
} from '../number-verification.entity.js';

export class NumberVerificationResponse extends DatedResponse {
  @ApiProperty({ example: '+5511998765432', description: 'International form, with a leading plus sign' })
  declare phone_number: string;

  @ApiProperty({ description: 'The number that the called person sees', example: '+551130000000' })
  declare caller_number: string;

  @ApiProperty({ enum: VERIFICATION_LANGUAGES, description: 'What is spoken' })
  declare language: string;

  @ApiProperty({
    enum: VERIFICATION_STATUSES,
    description: 'The code is waited for while it is `spoken`, until `expires_at`',
  })
  declare status: string;

  @NullableEnum(VERIFICATION_FAILURES, { description: 'Why it has failed' })
  declare failure: string | null;

  @ApiProperty({ type: 'integer', description: 'How many codes may still be sent' })
  declare tries_left: number;

  @NullableText({
    description: 'In the sandbox, which places no real calls: what would be heard. Null in calls to people.',
  })
  declare sandbox_words: string | null;

  @ApiProperty({ format: 'date-time', description: 'Until when it is called, or the code is good' })
  declare expires_at: string;
}

export class VerifiedNumberResponse {
  @ApiProperty({ type: 'integer', description: 'Identifier of the number' })
  declare phone_number_id: number;

  @ApiProperty({ example: '+5511998765432', description: 'International form, with a leading plus sign' })
  declare phone_number: string;

  @ApiProperty({
    enum: ['normal', 'sip', 'caller_id'],
    description: '`caller_id` for a number that is only shown to whom is called',
  })
  declare type: string;

  @ApiProperty({ format: 'date-time', description: 'When the code was confirmed' })
  declare verified_at: string;
}

export function toNumberVerificationResponse(verification: NumberVerification): NumberVerificationResponse {
  return {
    id: verification.id,
    phone_number: verification.phoneNumber,
    caller_number: verification.callerNumber,
    language: verification.language,
    status: verification.status,
    failure: verification.failure,
    tries_left: verification.triesLeft,
    sandbox_words: verification.sandboxWords,
    expires_at: verification.expiresAt.toISOString(),
    created_at: verification.createdAt.toISOString(),
  };
}

interface VerifiedNumber {
  readonly id: number;
  readonly phoneNumber: string;
  readonly type: string;
  readonly verifiedAt: Date | null;
}

export function toVerifiedNumberResponse(number: VerifiedNumber): VerifiedNumberResponse {
  return {
    phone_number_id: number.id,
    phone_number: number.phoneNumber,
    type: number.type,
    verified_at: number.verifiedAt?.toISOString() ?? '',
  };
}
