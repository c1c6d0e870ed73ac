import type {
  CalleeRoom,
  CalleeRoomListener,
  JoinCalleeRoom,
} from '../../../src/providers/telephony/livekit-sip/callee-room.js';
import type { WebCallConnectionListener } from '../../../src/providers/telephony/web/web-call-connection.js';
import { clientMessageOf } from '../../../src/providers/telephony/web/web-call-protocol.js';
import type { ReceivedRequest } from '../http-server.js';
import type { SipPresence, SipRooms } from './sip-service.js';

const ROOM_DELETED = 5;

/** A room with nothing in it but who has joined: no sound is carried but what a test makes. */
class MemoryRoom {
  assistant: CalleeRoomListener | null = null;
  connection: WebCallConnectionListener | null = null;
  callee: { readonly identity: string; attributes: Record<string, string> } | null = null;
  readonly keys: string[] = [];
  readonly sent: Int16Array[] = [];
  end: () => void = () => {};
  readonly over = new Promise<void>((resolve) => {
    this.end = resolve;
  });
}

/** The rooms of a LiveKit server, as far as a call is concerned. */
export class MemoryRooms implements SipRooms {
  private readonly rooms = new Map<string, MemoryRoom>();
  /** The error of every connection; null: connections succeed. */
  refusal: Error | null = null;

  get names(): string[] {
    return [...this.rooms.keys()];
  }

  room(name: string): MemoryRoom {
    const room = this.rooms.get(name);
    if (!room) throw new Error(`there is no room ${name}`);
    return room;
  }

  readonly join: JoinCalleeRoom = async (_url, token, listener) => {
    if (this.refusal) throw this.refusal;
    const claims = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()) as {
      video: { room: string };
    };
    const room = this.opened(claims.video.room);
    room.assistant = listener;
    return assistantEnd(room);
  };

  async enter(
    name: string,
    identity: string,
    attributes: Readonly<Record<string, string>>,
  ): Promise<SipPresence> {
    const room = this.opened(name);
    const callee = { identity, attributes: { ...attributes } };
    const tell = () => room.assistant?.onStatus(callee.attributes['sip.callStatus']);
    room.callee = callee;
    tell();
    return {
      setStatus: async (status) => {
        callee.attributes['sip.callStatus'] = status;
        if (room.callee === callee) tell();
      },
      leave: async (reason) => {
        if (room.callee !== callee) return;
        room.callee = null;
        room.assistant?.onGone(reason);
      },
      gone: room.over,
    };
  }

  async serve(method: string, { body }: ReceivedRequest): Promise<{ status: number; body: unknown }> {
    const name = (JSON.parse(body) as { room: string }).room;
    const room = this.rooms.get(name);
    if (!room) return { status: 404, body: { code: 'not_found', msg: 'requested room does not exist' } };
    if (method === 'ListParticipants') {
      const { callee } = room;
      return { status: 200, body: { participants: callee ? [{ ...callee, kind: 'SIP' }] : [] } };
    }
    this.delete(name);
    return { status: 200, body: {} };
  }

  private delete(name: string): void {
    const room = this.room(name);
    this.rooms.delete(name);
    room.callee = null;
    room.end();
    room.assistant?.onLeft(ROOM_DELETED);
  }

  private opened(name: string): MemoryRoom {
    const room = this.rooms.get(name) ?? new MemoryRoom();
    this.rooms.set(name, room);
    return room;
  }
}

function assistantEnd(room: MemoryRoom): CalleeRoom {
  return {
    noticesBreaks: true,
    listen: (listener) => {
      room.connection = listener;
    },
    send: (frame) => {
      room.sent.push(frame.slice());
      return true;
    },
    clear: () => {},
    sendMessage: () => {},
    sendKey: async (key) => void room.keys.push(key),
    close: () => {
      room.assistant = null;
      room.connection = null;
    },
  };
}

/** The called person presses a key. */
export function press(room: MemoryRoom, digit: string): void {
  room.connection?.onMessage(clientMessageOf(Buffer.from(JSON.stringify({ type: 'key', digit }))));
}
