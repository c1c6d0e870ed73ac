import { z } from 'zod';
import type { EgressClient, EgressResponse } from '../../../common/egress/egress-client.js';
import { parseRetryAfterMs } from '../../../common/http/retry-after.js';
import { TwilioError } from './twilio-error.js';

export interface TwilioCredentials {
  readonly accountSid: string;
  readonly authToken: string;
}

export interface TwilioServers {
  /** Origin of the REST API. */
  readonly api: string;
  /** Origin of the Pricing API. */
  readonly pricing: string;
}

export const TWILIO_SERVERS: TwilioServers = {
  api: 'https://api.twilio.com',
  pricing: 'https://pricing.twilio.com',
};

const MAX_BYTES = 4 * 1024 * 1024;

/** https://www.twilio.com/docs/usage/twilios-response#response-formats-exceptions */
const errorBody = z.object({ code: z.number().int().nullish() });

type Fields = Readonly<Record<string, string>>;
/** A name may come several times. */
export type FormFields = readonly (readonly [name: string, value: string])[];

/** Twilio's REST API, as plain requests: one each, never repeated by itself. */
export class TwilioApi {
  private readonly authorization: string;
  private readonly account: string;

  constructor(
    private readonly egress: EgressClient,
    { accountSid, authToken }: TwilioCredentials,
    private readonly servers: TwilioServers = TWILIO_SERVERS,
  ) {
    this.authorization = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`;
    this.account = `${servers.api}/2010-04-01/Accounts/${accountSid}`;
  }

  /**
   * Reads a resource of the account.
   *
   * @param path below the account, such as `/Calls.json`
   * @returns the answer as the schema reads it; null where there is no such resource
   * @throws TwilioError
   */
  get<Schema extends z.ZodType>(
    path: string,
    query: Fields,
    schema: Schema,
    timeoutMs: number,
  ): Promise<z.output<Schema> | null> {
    return this.read(`${this.account}${path}?${new URLSearchParams(query).toString()}`, schema, timeoutMs);
  }

  /** The account itself. Null where there is none of this SID. @throws TwilioError */
  getAccount<Schema extends z.ZodType>(schema: Schema, timeoutMs: number): Promise<z.output<Schema> | null> {
    return this.read(`${this.account}.json`, schema, timeoutMs);
  }

  /** What numbers of a country cost. Null for a country without any. @throws TwilioError */
  getPrices<Schema extends z.ZodType>(
    countryCode: string,
    schema: Schema,
    timeoutMs: number,
  ): Promise<z.output<Schema> | null> {
    return this.read(`${this.servers.pricing}/v1/PhoneNumbers/Countries/${countryCode}`, schema, timeoutMs);
  }

  /** Makes or changes a resource of the account. @throws TwilioError */
  async post<Schema extends z.ZodType>(
    path: string,
    form: FormFields,
    schema: Schema,
    timeoutMs: number,
  ): Promise<z.output<Schema>> {
    const response = await this.send('POST', `${this.account}${path}`, timeoutMs, form);
    return bodyOf(this.accepted(response), schema);
  }

  /** Removes a resource of the account; one that is not there is no error. @throws TwilioError */
  async delete(path: string, timeoutMs: number): Promise<void> {
    const response = await this.send('DELETE', `${this.account}${path}`, timeoutMs);
    if (response.status !== 404) this.accepted(response);
  }

  private async read<Schema extends z.ZodType>(
    url: string,
    schema: Schema,
    timeoutMs: number,
  ): Promise<z.output<Schema> | null> {
    const response = await this.send('GET', url, timeoutMs);
    return response.status === 404 ? null : bodyOf(this.accepted(response), schema);
  }

  private async send(
    method: 'GET' | 'POST' | 'DELETE',
    url: string,
    timeoutMs: number,
    form?: FormFields,
  ): Promise<EgressResponse> {
    try {
      return await this.egress.request({
        method,
        url,
        headers: {
          authorization: this.authorization,
          accept: 'application/json',
          ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
        },
        ...(form && { body: formText(form) }),
        timeoutMs,
        maxBytes: MAX_BYTES,
      });
    } catch (error) {
      throw new TwilioError('away', { cause: error });
    }
  }

  private accepted(response: EgressResponse): EgressResponse {
    const { status, headers } = response;
    if (status >= 200 && status < 300) return response;
    if (status === 429) {
      const retryAfterMs = parseRetryAfterMs(headers['retry-after'], new Date());
      throw new TwilioError('rate-limited', { status, code: codeOf(response), retryAfterMs });
    }
    if (status === 401) throw new TwilioError('unauthorized', { status, code: codeOf(response) });
    const kind = status >= 400 && status < 500 ? 'refused' : 'away';
    throw new TwilioError(kind, { status, code: codeOf(response) });
  }
}

function bodyOf<Schema extends z.ZodType>(response: EgressResponse, schema: Schema): z.output<Schema> {
  try {
    return schema.parse(JSON.parse(response.bodyText));
  } catch (error) {
    throw new TwilioError('away', { status: response.status, cause: error });
  }
}

function codeOf(response: EgressResponse): number | null {
  try {
    return errorBody.parse(JSON.parse(response.bodyText)).code ?? null;
  } catch {
    // A proxy on the way answers in its own words; the status says enough.
    return null;
  }
}

function formText(form: FormFields): string {
  const fields = new URLSearchParams();
  for (const [name, value] of form) fields.append(name, value);
  return fields.toString();
}
