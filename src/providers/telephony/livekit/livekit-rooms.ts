import { z } from 'zod';
import { LiveKitApi, LiveKitApiError } from './livekit-api.js';

const TIMEOUT_MS = 5_000;

const listed = z.object({ rooms: z.array(z.object({ name: z.string() })).default([]) });
/** `ParticipantInfo` of livekit_models.proto. */
const participants = z.object({
  participants: z
    .array(
      z.object({
        identity: z.string(),
        attributes: z.record(z.string(), z.string()).default({}),
        joined_at: z.coerce.number().default(0),
      }),
    )
    .default([]),
});

export type RoomParticipant = z.output<typeof participants>['participants'][number];

/** The rooms of the LiveKit server that the operator has named. */
export class LiveKitRooms {
  constructor(private readonly api: LiveKitApi) {}

  /**
   * Ends a room, and everybody's connection to it. One that is not there is no error.
   *
   * @throws LiveKitApiError when the server does not do it
   */
  async delete(room: string): Promise<void> {
    try {
      await this.ask('DeleteRoom', { roomCreate: true }, { room });
    } catch (error) {
      if (!(error instanceof LiveKitApiError && error.code === 'not_found')) throw error;
    }
  }

  /**
   * Names of all rooms there are.
   *
   * @throws Error when the server does not tell
   */
  async list(): Promise<string[]> {
    const answer = await this.ask('ListRooms', { roomList: true }, {});
    return listed.parse(answer).rooms.map(({ name }) => name);
  }

  /**
   * The participants of a room; an empty list where there is no room of the name.
   *
   * @throws Error when the server does not answer
   */
  async participantsOf(room: string): Promise<readonly RoomParticipant[]> {
    try {
      const answer = await this.ask('ListParticipants', { roomAdmin: true, room }, { room });
      return participants.parse(answer).participants;
    } catch (error) {
      if (error instanceof LiveKitApiError && error.code === 'not_found') return [];
      throw error;
    }
  }

  private ask(method: string, video: Parameters<LiveKitApi['ask']>[2]['video'], body: object) {
    return this.api.ask('RoomService', method, { video }, body, TIMEOUT_MS);
  }
}
