import { z } from 'zod';
import type { BuiltinToolSpec } from '../assistant-snapshot.js';

/** A question of the event type's booking form. */
export interface BookingField {
  readonly slug: string;
  /** Cal.com's name of the kind of field: text, email, phone, select, multiselect … */
  readonly type: string;
  readonly label: string;
  readonly required: boolean;
  /** Empty when any answer will do. */
  readonly options: readonly string[];
}

export interface CalendarSettings {
  readonly apiKey: string;
  readonly eventSlug: string;
  readonly teamSlug: string | null;
  /** Of version 2 of the API, without a slash at the end. */
  readonly baseUrl: string;
  readonly bookingFields: readonly BookingField[];
  /** When to offer booking, in the tenant's words; may be empty. */
  readonly description: string;
}

/** Regions hold separate accounts: a key of one is unknown in the other. */
const REGION_URLS = { us: 'https://api.cal.com/v2', eu: 'https://api.cal.eu/v2' } as const;

const SpecSchema = z.object({
  extcal_api_key: z.string().trim().min(1),
  extcal_event_slug: z.string().trim().min(1),
  extcal_team_slug: z.string().trim().nullish(),
  extcal_endpoint: z.enum(['us', 'eu', 'custom']).nullish(),
  extcal_custom_endpoint: z.string().trim().nullish(),
  extcal_booking_fields: z
    .array(
      z.object({
        slug: z.string().min(1),
        type: z.string(),
        label: z.string(),
        required: z.boolean().nullish(),
        options: z.array(z.string()).nullish(),
      }),
    )
    .nullish(),
  description: z.string().nullish(),
});

/** Reads a `calendar_integration` element; null when it is not complete enough to reach a calendar. */
export function calendarSettings(spec: BuiltinToolSpec): CalendarSettings | null {
  const { success, data } = SpecSchema.safeParse(spec);
  if (!success) return null;
  return {
    apiKey: data.extcal_api_key,
    eventSlug: data.extcal_event_slug,
    teamSlug: data.extcal_team_slug || null,
    baseUrl:
      data.extcal_endpoint === 'custom'
        ? versionedUrl(data.extcal_custom_endpoint ?? '')
        : REGION_URLS[data.extcal_endpoint ?? 'us'],
    bookingFields: (data.extcal_booking_fields ?? []).map(({ required, options, ...field }) => ({
      ...field,
      required: required ?? false,
      options: options ?? [],
    })),
    description: data.description ?? '',
  };
}

/** A self-hosted API is known by its host or already by its `/v2`. */
function versionedUrl(endpoint: string): string {
  const base = endpoint.replace(/[?#].*$/s, '').replace(/\/+$/, '');
  return base.endsWith('/v2') ? base : `${base}/v2`;
}
