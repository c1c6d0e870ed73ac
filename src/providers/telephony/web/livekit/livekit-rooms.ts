import { z } from 'zod';
import { timeoutSignal } from '../../../../common/time/timeout-signal.js';
import type { LiveKitConfig } from '../../../../config/config.js';
import { accessToken, type Grant } from './access-token.js';

const TIMEOUT_MS = 5_000;
const TOKEN_LIFE_MS = 60_000;

const listed = z.object({ rooms: z.array(z.object({ name: z.string() })).default([]) });

/** The rooms of the LiveKit server that the operator has named. */
export class LiveKitRooms {
  constructor(private readonly server: LiveKitConfig) {}

  /**
   * Ends a room, and everybody's connection to it. One that is not there is no error.
   *
   * @throws Error when the server does not do it
   */
  async delete(room: string): Promise<void> {
    const answer = await this.ask('DeleteRoom', { roomCreate: true }, { room });
    if (answer.status !== 200 && answer.status !== 404) throw refusal('DeleteRoom', answer);
  }

  /**
   * Names of all rooms there are.
   *
   * @throws Error when the server does not tell
   */
  async list(): Promise<string[]> {
    const answer = await this.ask('ListRooms', { roomList: true }, {});
    if (answer.status !== 200) throw refusal('ListRooms', answer);
    return listed.parse(JSON.parse(answer.text)).rooms.map(({ name }) => name);
  }

  private async ask(method: string, grant: Grant, body: object): Promise<Answer> {
    const token = accessToken(this.server, { grant, expiresAt: new Date(Date.now() + TOKEN_LIFE_MS) });
    const url = `${this.server.url.replace(/^ws/, 'http')}/twirp/livekit.RoomService/${method}`;
    const response = await fetch(url, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
      signal: timeoutSignal(TIMEOUT_MS),
    });
    return { status: response.status, text: await response.text() };
  }
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

function refusal(method: string, { status, text }: Answer): Error {
  return new Error(`LiveKit answered ${method} with ${status}: ${text.slice(0, 200)}`);
}
