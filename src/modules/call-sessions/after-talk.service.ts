import { Injectable } from '@nestjs/common';
import type { SessionRecording } from '../../runtime/call/session/session-facts.js';
import { CallEndEventsService } from '../call-completion/call-end-events.service.js';
import { RecordingUploadsService } from '../calls/recordings/recording-uploads.service.js';
import type { StoredCall } from '../calls/stored-call.js';

/** What is left to do in the process that talked on a call, after the talk. */
@Injectable()
export class AfterTalkService {
  constructor(
    private readonly recordings: RecordingUploadsService,
    private readonly endEvents: CallEndEventsService,
  ) {}

  /** Stores the recording of a call. Never fails: what is not stored now is tried again later. */
  store(call: StoredCall, recording: SessionRecording): Promise<void> {
    return this.recordings.upload(call, recording);
  }

  /** The recording is stored, or cannot be, and no tool runs: what is left to do for the call may begin. */
  settled(call: StoredCall): void {
    this.endEvents.settled(call);
  }
}
