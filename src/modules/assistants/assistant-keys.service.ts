import { Injectable } from '@nestjs/common';
import { SecretBox, type SecretPlace } from '../../common/crypto/secret-box.js';
import type { Assistant } from './assistant.entity.js';

/** Seals the keys of calendar providers. */
@Injectable()
export class AssistantKeysService {
  constructor(private readonly secrets: SecretBox) {}

  seal(userId: number, assistantId: number, keys: readonly string[]): string | null {
    return keys.length === 0 ? null : this.secrets.seal(JSON.stringify(keys), place(userId, assistantId));
  }

  open({ userId, id, sealedCalendarKeys }: Assistant): string[] {
    if (sealedCalendarKeys === null) return [];
    return JSON.parse(this.secrets.open(sealedCalendarKeys, place(userId, id))) as string[];
  }
}

function place(userId: number, rowId: number): SecretPlace {
  return { userId, column: 'assistants.calendar_keys', rowId };
}
