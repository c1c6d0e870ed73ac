import { Injectable } from '@nestjs/common';
import { InternalToken } from '../../common/crypto/internal-token.js';
import { TelephonyConfig } from '../../config/config.js';
import { accessToken } from '../../providers/telephony/livekit/access-token.js';
import { CUSTOMER, jobMetadata, RoomNames } from '../../providers/telephony/web/livekit/room-names.js';

/** A room is over this many seconds after it opened without participants, or after the last one left. */
const EMPTY_SECONDS = 30;
const DEPARTED_SECONDS = 12;

/** What lets a customer into the room of one call. */
export interface RoomInvitation {
  readonly url: string;
  readonly token: string;
  readonly room: string;
}

/** Invites customers into rooms of the LiveKit server, where there is one. */
@Injectable()
export class RoomInvitationsService {
  private readonly names: RoomNames;

  constructor(
    private readonly telephony: TelephonyConfig,
    token: InternalToken,
  ) {
    this.names = new RoomNames(token);
  }

  /**
   * Sends no request to the server: the first participant opens the room, with a token that requests the assistant.
   *
   * @param tokenHash SHA-256 of the call's token
   * @returns null where there is no LiveKit server
   */
  invite(callId: number, tokenHash: Buffer, expiresAt: Date): RoomInvitation | null {
    const { livekit } = this.telephony;
    if (!livekit) return null;
    const room = this.names.of(callId, tokenHash);
    const agent = { agentName: this.names.agentName, metadata: jobMetadata(callId, tokenHash) };
    const token = accessToken(livekit, {
      video: {
        roomJoin: true,
        room,
        canPublish: true,
        canPublishSources: ['microphone'],
        canPublishData: true,
        canSubscribe: true,
      },
      expiresAt,
      identity: CUSTOMER,
      roomConfig: { emptyTimeout: EMPTY_SECONDS, departureTimeout: DEPARTED_SECONDS, agents: [agent] },
    });
    return { url: livekit.url, token, room };
  }
}
