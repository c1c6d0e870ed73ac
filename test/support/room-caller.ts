import { RoomEvent } from '@livekit/rtc-node';
import { RoomEnd } from './livekit/room-end.js';
import type { ShownTurn } from './web-caller.js';
import { until } from './until.js';

/** What a web call says of its room. */
export interface RoomInvitation {
  readonly url: string;
  readonly token: string;
  readonly room: string;
}

/** A customer of a web call in a LiveKit room. */
export class RoomCaller extends RoomEnd {
  readonly shown: ShownTurn[] = [];
  isConnected = true;

  private constructor() {
    super();
    this.room.on(RoomEvent.DataReceived, (payload, _participant, _kind, topic) => {
      if (topic === 'prosa') this.shown.push(JSON.parse(Buffer.from(payload).toString('utf8')) as ShownTurn);
    });
    this.room.on(RoomEvent.Disconnected, () => {
      this.isConnected = false;
    });
  }

  static async connect({ url, token }: RoomInvitation): Promise<RoomCaller> {
    const caller = new RoomCaller();
    await caller.join(url, token);
    return caller;
  }

  async hears(ms: number, timeoutMs = 60_000): Promise<void> {
    const enough = this.soundMs + ms;
    await until(() => this.soundMs >= enough, timeoutMs);
  }

  shows(role: ShownTurn['role'], text: string): Promise<void> {
    return until(
      () => this.shown.some((turn) => turn.role === role && turn.text?.includes(text)),
      60_000,
    ).catch((cause: unknown) => {
      throw new Error(`"${text}" was not shown: ${JSON.stringify(this.shown)}`, { cause });
    });
  }

  /** A message of the protocol of web calls. */
  async tell(message: object): Promise<void> {
    const payload = Buffer.from(JSON.stringify(message));
    await this.room.localParticipant!.publishData(payload, { reliable: true, topic: 'prosa' });
  }
}
