import { Injectable } from '@nestjs/common';
import { currentForm } from '../../common/phone/e164.js';
import type { Tx } from '../../database/transactions.js';
import { CallCarriers } from '../../providers/telephony/call-carriers.js';
import { PhoneNumbersService } from '../phone-numbers/phone-numbers.service.js';
import { VoiceProcessesService } from '../voice-workers/voice-processes.service.js';
import type { Callee, CallOrder, RoutedCallee } from './call-order.js';

/** Finds the carrier of each call, and whether a process can carry its sound now. */
@Injectable()
export class CallRoutesService {
  constructor(
    private readonly carriers: CallCarriers,
    private readonly numbers: PhoneNumbersService,
    private readonly voice: VoiceProcessesService,
  ) {}

  /** Which carrier each is called through: that of the number they are called from. */
  async find({ userId, campaign }: CallOrder, callees: readonly Callee[], tx: Tx): Promise<RoutedCallee[]> {
    const ids = callees.flatMap(({ phoneNumberId }) => phoneNumberId ?? []);
    const numbers = await this.numbers.findOwned(userId, ids, tx);
    return callees.map((callee) => {
      const number = numbers.get(callee.phoneNumberId ?? 0) ?? null;
      const trunkId = number?.type === 'sip' ? number.id : null;
      // A lead may hold a number as it was before its country changed it.
      const to = campaign === null ? callee.to : currentForm(callee.to);
      return { ...callee, to, phoneNumberId: number?.id ?? null, trunkId, carrier: this.carriers.of(number) };
    });
  }

  /**
   * Those for whose sound there is a process, and all that are talked to in words. Where none has the lines, a single call waits
   * for one: it wakes the call up when it is there.
   */
  async carriedNow(
    { campaign }: CallOrder,
    callees: readonly RoutedCallee[],
    tx: Tx,
  ): Promise<readonly RoutedCallee[]> {
    const places = new Map<string, number>();
    for (const { carrier } of callees) {
      if ('text' in carrier.media || places.has(carrier.family)) continue;
      const count = await this.voice.countPlaces(carrier.family, tx);
      const mayWait = count === 0 && campaign === null && !(await this.voice.isServed(carrier.family, tx));
      if (!mayWait) places.set(carrier.family, count);
    }
    return callees.filter(({ carrier }) => {
      const left = places.get(carrier.family);
      if (left !== undefined) places.set(carrier.family, left - 1);
      return left === undefined || left > 0;
    });
  }
}
