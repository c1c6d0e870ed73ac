import { ApiProperty } from '@nestjs/swagger';
import type { SecretDetails } from '../secrets/sealed-secrets.service.js';

export class WebhookSecretResponse {
  @ApiProperty({ example: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDtqJbVSW3Ix4=' })
  declare secret: string;

  @ApiProperty({ format: 'date-time' })
  declare created_at: string;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Until then requests carry a signature of the previous secret as well',
  })
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
