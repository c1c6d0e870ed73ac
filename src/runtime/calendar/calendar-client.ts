import { DateTime } from 'luxon';
import { z } from 'zod';
import type { EgressClient, EgressResponse } from '../../common/egress/egress-client.js';
import { EgressError, type EgressErrorCode } from '../../common/egress/egress-error.js';
import type { CalendarSettings } from './calendar-settings.js';
import { storableText } from '../../common/text/storable-text.js';

/** Why the calendar did not do what was asked. Its message is a sentence for the model and holds no secret. */
export class CalendarError extends Error {
  override readonly name = 'CalendarError';

  constructor(
    message: string,
    /** The calendar failed rather than refused: it may have acted all the same. */
    readonly isUncertain = false,
  ) {
    super(message);
  }
}

export interface Booking {
  readonly start: DateTime;
  readonly attendee: { readonly name: string; readonly email?: string; readonly phoneNumber?: string };
  readonly responses: Readonly<Record<string, unknown>>;
}

export interface BookingReceipt {
  /** `accepted`, or `pending` while the host has to agree; null when the answer does not say. */
  readonly status: string | null;
  /** The calendar's own id of the booking. */
  readonly reference: string | null;
}

interface CalendarRequest {
  readonly method: 'GET' | 'POST';
  /** Below the base URL. */
  readonly path: string;
  /** Each family of endpoints has its own version; without the header a much older one answers. */
  readonly version?: string;
  readonly body?: unknown;
  readonly timeoutMs: number;
}

const SLOTS_VERSION = '2024-09-04';
const BOOKINGS_VERSION = '2024-08-13';
const READ_TIMEOUT_MS = 10_000;
/** A booking writes into the host's calendars and sends mail before it is answered. */
const BOOK_TIMEOUT_MS = 25_000;
/** A month of quarter hours is about 150 KiB. */
const MAX_ANSWER_BYTES = 256 * 1024;
const MAX_DETAIL_LENGTH = 300;
const UNCERTAIN =
  'It is not known whether the appointment was booked: do not book it again, and tell the customer that it has to be confirmed.';
/** Failures before anything was sent. */
const UNSENT_CODES: ReadonlySet<EgressErrorCode> = new Set(['forbidden-address', 'invalid-url', 'dns']);

const ProfileSchema = z.object({ data: z.object({ username: z.string().min(1) }) });
const SlotsSchema = z.object({
  data: z.record(z.string(), z.array(z.union([z.object({ start: z.string() }), z.string()]))),
});
const ReceiptSchema = z.object({ uid: z.string().nullish(), status: z.string().nullish() });
/** A recurring event answers with one booking for each occurrence. */
const BookingSchema = z.object({ data: z.union([ReceiptSchema, z.array(ReceiptSchema).min(1)]) });
const RefusalSchema = z.object({ error: z.object({ message: z.string() }) });

/** Speaks version 2 of Cal.com's API for one event type (https://cal.com/docs/api-reference/v2). */
export class CalendarClient {
  private username: string | null = null;

  constructor(
    private readonly settings: CalendarSettings,
    private readonly egress: EgressClient,
  ) {}

  /**
   * Starts of the free times between two moments, in order.
   *
   * @throws CalendarError | EgressError
   */
  async freeTimes(from: DateTime, to: DateTime, signal: AbortSignal): Promise<DateTime[]> {
    const query = new URLSearchParams({
      ...(await this.event(signal)),
      start: isoUtc(from),
      end: isoUtc(to),
      timeZone: from.zoneName ?? 'UTC',
    });
    const answer = await this.send(
      {
        method: 'GET',
        path: `/slots?${query.toString()}`,
        version: SLOTS_VERSION,
        timeoutMs: READ_TIMEOUT_MS,
      },
      signal,
    );
    return Object.values(parsed(answer, SlotsSchema).data)
      .flat()
      .map((slot) => DateTime.fromISO(typeof slot === 'string' ? slot : slot.start, { zone: from.zone }))
      .filter((start) => start.isValid && start >= from && start <= to)
      .sort((one, other) => one.toMillis() - other.toMillis());
  }

  /**
   * Books a time.
   *
   * @throws CalendarError | EgressError
   */
  async book({ start, attendee, responses }: Booking, signal: AbortSignal): Promise<BookingReceipt> {
    const body = {
      ...(await this.event(signal)),
      start: isoUtc(start),
      attendee: { ...attendee, timeZone: start.zoneName },
      ...(Object.keys(responses).length > 0 ? { bookingFieldsResponses: responses } : {}),
    };
    const answer = await this.send(
      { method: 'POST', path: '/bookings', version: BOOKINGS_VERSION, body, timeoutMs: BOOK_TIMEOUT_MS },
      signal,
    ).catch((error: unknown) => {
      throw withUncertainty(error);
    });
    // The status has already said that it is booked; an answer of another shape takes nothing from it.
    const booking = BookingSchema.safeParse(jsonOf(answer)).data?.data;
    const first = Array.isArray(booking) ? booking[0] : booking;
    return { status: this.shown(first?.status) || null, reference: this.shown(first?.uid) || null };
  }

  /** An event is named by its slug and its owner: the team, or the user whose key it is. */
  private async event(signal: AbortSignal): Promise<Record<string, string>> {
    const { eventSlug, teamSlug } = this.settings;
    if (teamSlug !== null) return { eventTypeSlug: eventSlug, teamSlug };
    this.username ??= parsed(
      await this.send({ method: 'GET', path: '/me', timeoutMs: READ_TIMEOUT_MS }, signal),
      ProfileSchema,
    ).data.username;
    return { eventTypeSlug: eventSlug, username: this.username };
  }

  private async send(request: CalendarRequest, signal: AbortSignal): Promise<EgressResponse> {
    const { method, path, version, body, timeoutMs } = request;
    const response = await this.egress.request({
      method,
      url: this.settings.baseUrl + path,
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${this.settings.apiKey}`,
        ...(version === undefined ? {} : { 'cal-api-version': version }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      timeoutMs,
      maxBytes: MAX_ANSWER_BYTES,
      signal,
    });
    if (response.status < 200 || response.status > 299) throw this.refusal(response);
    return response;
  }

  private refusal(response: EgressResponse): CalendarError {
    const { status } = response;
    if (status === 401 || status === 403) return new CalendarError('The calendar did not accept its key.');
    if (status === 429) return new CalendarError('The calendar is limiting requests; try again in a minute.');
    if (status >= 500) return new CalendarError(`The calendar failed with HTTP status ${status}.`, true);
    const detail = this.shown(RefusalSchema.safeParse(jsonOf(response)).data?.error.message).replace(
      /\.$/,
      '',
    );
    return new CalendarError(
      `The calendar refused with HTTP status ${status}${detail === '' ? '' : `: ${detail}`}.`,
    );
  }

  /** What a server says may repeat what it was sent, the key included, and may be of any length. */
  private shown(text: string | null | undefined): string {
    return storableText(
      (text ?? '').replaceAll(this.settings.apiKey, '[key]').slice(0, MAX_DETAIL_LENGTH),
    ).trim();
  }
}

/** A second attempt after a lost answer would book twice, so the model has to know. */
function withUncertainty(error: unknown): unknown {
  const isUncertain =
    error instanceof CalendarError
      ? error.isUncertain
      : error instanceof EgressError && !UNSENT_CODES.has(error.code);
  return isUncertain ? new CalendarError(`${(error as Error).message} ${UNCERTAIN}`) : error;
}

function parsed<T>(response: EgressResponse, schema: z.ZodType<T>): T {
  const { success, data } = schema.safeParse(jsonOf(response));
  if (!success) throw new CalendarError('The answer of the calendar could not be read.');
  return data;
}

/** Undefined when the body is not JSON. */
function jsonOf({ bodyText }: EgressResponse): unknown {
  try {
    return JSON.parse(bodyText);
  } catch {
    return undefined;
  }
}

function isoUtc(time: DateTime): string {
  return time.toUTC().toFormat("yyyy-MM-dd'T'HH:mm:ss'Z'");
}
