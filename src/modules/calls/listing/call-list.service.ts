import { Injectable } from '@nestjs/common';
import type { PageOf } from '../../../common/http/page.js';
import { AccountsService } from '../../accounts/accounts.service.js';
import { type WebhookResponse, WebhooksService } from '../../webhooks/webhooks.service.js';
import { isInternational, toStoredNumber } from '../../../common/phone/stored-number.js';
import type { LiveState } from '../live/live-state.js';
import { LiveStatesRepository } from '../live/live-states.repository.js';
import { ANSWER_LIFE_MS, RecordingLinksService } from '../recordings/recording-links.service.js';
import { type CallPageRequest, CallListRepository } from './call-list.repository.js';
import type { CallFilter, ListedCall } from './call-list.statements.js';

/** A call as its owner sees it. */
export type ShownCall = Omit<ListedCall, 'recordingKey'> & {
  /** Path and query of the link to its recording; null where there is none. */
  readonly recordingLink: string | null;
  /** Null when the call is over; left out where it was not asked for. */
  readonly live?: LiveState | null;
};

/** Lists calls as their owner sees them. */
@Injectable()
export class CallListService {
  constructor(
    private readonly lists: CallListRepository,
    private readonly accounts: AccountsService,
    private readonly webhooks: WebhooksService,
    private readonly links: RecordingLinksService,
    private readonly live: LiveStatesRepository,
  ) {}

  /** One page. The phone number may be written in any usual way. */
  async page(userId: number, filter: CallFilter, page: CallPageRequest): Promise<PageOf<ShownCall>> {
    const { rows, total } = await this.lists.page(userId, await this.storedFilter(userId, filter), page);
    const shown = await this.shown(userId, rows);
    return { rows: filter.isLive ? await this.withLiveStates(userId, shown) : shown, total };
  }

  /** By call; without the calls that are over. */
  async liveStates(userId: number, callIds: readonly number[]): Promise<ReadonlyMap<number, LiveState>> {
    const states = await this.live.list(userId, callIds);
    return new Map(states.map((state) => [state.callId, state]));
  }

  /** A filter with the phone number as calls hold it. */
  async storedFilter(userId: number, filter: CallFilter): Promise<CallFilter> {
    const { phoneNumber } = filter;
    return phoneNumber === undefined
      ? filter
      : { ...filter, phoneNumber: await this.toStored(userId, phoneNumber) };
  }

  /** With what receivers of webhooks answered last, which the deliveries know, and links to the recordings. */
  async shown(userId: number, calls: readonly ListedCall[]): Promise<ShownCall[]> {
    const responses = await this.webhooks.lastCallResponses(
      userId,
      calls.map(({ id }) => String(id)),
    );
    return calls.map((call) => {
      const response = responses.get(String(call.id));
      const shown = withLink(call, this.linkOf(call));
      return response ? { ...shown, webhookResponse: webhookResponseOf(response) } : shown;
    });
  }

  private async withLiveStates(userId: number, calls: readonly ShownCall[]): Promise<ShownCall[]> {
    const states = await this.liveStates(
      userId,
      calls.map(({ id }) => id),
    );
    return calls.map((call) => ({ ...call, live: states.get(call.id) ?? null }));
  }

  private linkOf({ id, recordingEnabled, recordingKey }: ListedCall): string | null {
    return recordingEnabled && recordingKey !== null ? this.links.linkTo(id, ANSWER_LIFE_MS) : null;
  }

  private async toStored(userId: number, phoneNumber: string): Promise<string> {
    if (isInternational(phoneNumber)) return toStoredNumber(phoneNumber);
    const { defaultCountry } = await this.accounts.get(userId);
    return toStoredNumber(phoneNumber, defaultCountry);
  }
}

/** What a receiver of webhooks answered, as calls keep and show it. */
export function webhookResponseOf({
  kind,
  statusCode,
  responseBody,
  error,
  finishedAt,
}: WebhookResponse): Record<string, unknown> {
  return { kind, status_code: statusCode, body: responseBody, error, received_at: finishedAt.toISOString() };
}

function withLink({ recordingKey: _, ...call }: ListedCall, recordingLink: string | null): ShownCall {
  return { ...call, recordingLink };
}
