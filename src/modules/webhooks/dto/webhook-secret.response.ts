import { ApiProperty } from '@nestjs/swagger';
import { NullableMoment } from '../../../common/http/response-fields.js';
import type { SecretDetails } from '../secrets/sealed-secrets.service.js';

export class WebhookSecretResponse {
  @ApiProperty({
    example: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDtqJbVSW3Ix4=',
    description: 'Secret that signs webhooks, after Standard Webhooks',
  })
  declare secret: string;

  @ApiProperty({ format: 'date-time', description: 'When it was made, ISO 8601 in UTC' })
  declare created_at: string;

  @NullableMoment('Until then requests carry a signature of the previous secret as well')
  declare previous_expires_at: string | null;
}

export function toSecretResponse({
  secret,
  createdAt,
  previousExpiresAt,
}: SecretDetails): WebhookSecretResponse {
  return {
    secret,
    created_at: createdAt.toISOString(),
    previous_expires_at: previousExpiresAt?.toISOString() ?? null,
  };
}
