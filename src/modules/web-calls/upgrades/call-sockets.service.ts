import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { UnprovenRequestsService } from '../../../common/limits/unproven-requests.service.js';
import {
  headersOfOrigin,
  type MediaKind,
  MediaUpgrades,
  refuseUpgrade,
} from '../../voice-workers/media-upgrades.js';
import { VoiceDispatchService } from '../../voice-workers/voice-dispatch.service.js';
import {
  type VoiceProcessAddress,
  VoiceProcessesService,
} from '../../voice-workers/voice-processes.service.js';
import { MediaTunnelsService } from './media-tunnels.service.js';

/** Connections of one address, which may be that of an office, that may not have shown their token yet. */
const MAX_UNPROVEN = 20;
/** The voice process has closed by then what has shown none. */
const UNPROVEN_MS = 5_000;

/** The upgrade of a WebSocket to a call. */
export interface SocketUpgrade {
  readonly kind: MediaKind;
  readonly callId: number;
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
}

export interface SocketTarget {
  /** As in BrowserOrigin. */
  readonly isAwaited: boolean;
  /** The process that has the call; null when there is none. */
  find(): Promise<VoiceProcessAddress | null>;
}

/** Connects WebSockets that have still to show their token with voice processes. */
@Injectable()
export class CallSocketsService {
  constructor(
    private readonly processes: VoiceProcessesService,
    private readonly dispatch: VoiceDispatchService,
    private readonly upgrades: MediaUpgrades,
    private readonly unproven: UnprovenRequestsService,
    private readonly tunnels: MediaTunnelsService,
  ) {}

  /**
   * Whose call it is, the first message says; until then the connection is a stranger, and counted for its address.
   *
   * @returns false when it was refused
   * @throws TooManyRequestsError
   */
  async admit({ request, socket }: SocketUpgrade, subject: string): Promise<boolean> {
    const leave = this.unproven.tryEnter(request, subject, MAX_UNPROVEN);
    if (!leave) {
      refuseUpgrade(socket, 429);
      return false;
    }
    socket.once('close', leave);
    setTimeout(leave, UNPROVEN_MS).unref();
    await this.unproven.count(request);
    return true;
  }

  /** Connects it, in this process or through a tunnel, or refuses it. */
  async connect({ kind, callId, request, socket, head }: SocketUpgrade, target: SocketTarget): Promise<void> {
    const origin = { address: this.unproven.addressOf(request), isAwaited: target.isAwaited };
    const isTaken = await this.dispatch.askFirst(
      () => target.find(),
      async (process) => {
        const take = process.id === this.processes.own?.id ? this.upgrades.find(kind) : null;
        const waitsAtDrain = kind === 'customer';
        if (take) take(callId, request, socket, head, origin);
        else
          await this.tunnels.connect(
            process,
            { request, socket, head },
            headersOfOrigin(origin),
            waitsAtDrain,
          );
        return true;
      },
    );
    if (!isTaken) refuseUpgrade(socket, 503);
  }
}
