import { Injectable } from '@nestjs/common';
import { storableText } from '../../../common/text/storable-text.js';
import { CallDeskRepository } from './call-desk.repository.js';
import type { DeskEntry } from './desk-entry.js';

/** Records what people who listen to calls do in them. It is shown with the call, and is in no transcript and no webhook. */
@Injectable()
export class CallDeskService {
  constructor(private readonly desk: CallDeskRepository) {}

  record(userId: number, callId: number, { text, ...entry }: Omit<DeskEntry, 'at_ms'>): Promise<void> {
    return this.desk.add(userId, callId, { ...entry, text: text === null ? null : storableText(text) });
  }
}
