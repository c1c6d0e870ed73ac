import { ApiProperty } from '@nestjs/swagger';
import { BooleanField } from '../../../common/http/fields.js';
import type { Availability } from '../members/availability/availability.repository.js';

const AVAILABLE = 'Whether the person takes calls that assistants pass on';

export class AvailabilityRequest {
  @BooleanField({ description: AVAILABLE })
  declare available: boolean;
}

export class AvailabilityResponse {
  @ApiProperty({ description: AVAILABLE })
  declare available: boolean;

  @ApiProperty({ format: 'date-time', description: 'When this state began, ISO 8601 in UTC' })
  declare since: string;
}

export function toAvailabilityResponse({ isAvailable, since }: Availability): AvailabilityResponse {
  return { available: isAvailable, since: since.toISOString() };
}
