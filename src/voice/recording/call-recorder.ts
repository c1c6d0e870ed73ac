import { createWriteStream, type WriteStream } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { SampleQueue } from '../../common/audio/sample-queue.js';
import { FRAME_MS, frameLength } from '../../common/audio/pcm.js';
import { recordingFileName } from '../../runtime/call/recording-file.js';
import type { TalkRecording } from '../../runtime/call/talk.js';
import type { LineTap } from '../talk/talk-line.js';

/** Half an hour: longer than any call may last. 2 MB a minute at 8 kHz. */
const MAX_FRAMES = (30 * 60_000) / FRAME_MS;
/** Frames are written together, four times a second. */
const FRAMES_PER_WRITE = 12;
/** Of both sides. */
const BYTES_PER_SAMPLE = 4;
/** What the disk may be behind; then the recording ends where it is, and the call goes on. */
const MAX_WAITING_BYTES = 8 * 1024 * 1024;
/** How far what the customer says may lie behind the clock of the line before some of it is left out. */
const MAX_LAG_FRAMES = 10;

/**
 * Records a call as both sides hear it: the customer on the left, the assistant on the right. What goes out sets the pace; what
 * comes in is put beside it. Raw samples are written while the call runs, so that a crash leaves a file which
 * `packRecording` can still make a recording of.
 */
export class CallRecorder implements LineTap {
  private readonly heard = new SampleQueue();
  private readonly pending: Buffer[] = [];
  private file: WriteStream | null = null;
  private recording: TalkRecording | null = null;
  private elapsedMs: (() => number) | null = null;
  private frames = 0;
  private hasFailed = false;

  /**
   * @param folder of the raw samples
   * @param recordAs the call's number, which the name of the file begins with
   * @param onError hears when nothing more can be recorded
   */
  constructor(
    private readonly folder: string,
    private readonly recordAs: number,
    private readonly onError: (error: unknown) => void,
  ) {}

  /**
   * Begins to record a line of this rate.
   *
   * @param elapsedMs since the call was answered. The recording has the call's own time, as its turns have: for what was
   * before it began, and for frames that a process which stood still has left out, it has silence. Without it, it begins with
   * its first frame
   */
  begin(sampleRateHz: number, elapsedMs: (() => number) | null = null): LineTap {
    this.frames = Math.round((elapsedMs?.() ?? 0) / FRAME_MS);
    this.elapsedMs = elapsedMs;
    const file = { recordAs: this.recordAs, startMs: this.frames * FRAME_MS, sampleRateHz };
    const path = join(this.folder, recordingFileName(file));
    this.recording = { path, sampleRateHz };
    // What is not written before the start reads as zeros, and takes no room.
    const start = this.frames * frameLength(sampleRateHz) * BYTES_PER_SAMPLE;
    this.file = createWriteStream(path, { flags: 'wx', mode: 0o600, start });
    this.file.on('error', (error) => this.fail(error));
    return this;
  }

  customer(frame: Int16Array): void {
    if (!this.isOpen) return;
    this.heard.push(frame);
    const { length } = frame;
    if (this.heard.length > MAX_LAG_FRAMES * length) this.heard.skip(this.heard.length - 3 * length);
  }

  assistant(frame: Int16Array, skipped = 0): void {
    if (!this.isOpen || this.frames >= MAX_FRAMES) return;
    this.fillGap(frame.length, skipped);
    const customer = new Int16Array(frame.length);
    this.heard.read(customer);
    const both = new Int16Array(frame.length * 2);
    for (let index = 0; index < frame.length; index++) {
      both[index * 2] = customer[index] ?? 0;
      both[index * 2 + 1] = frame[index] ?? 0;
    }
    this.frames++;
    this.pending.push(Buffer.from(both.buffer));
    if (this.pending.length >= FRAMES_PER_WRITE) this.write();
  }

  /**
   * Ends the recording, within milliseconds.
   *
   * @returns the samples, to be packed and deleted by the caller; null when nothing was recorded
   */
  async finish(): Promise<TalkRecording | null> {
    const { file, recording } = this;
    if (!file || !recording) return null;
    this.write();
    this.file = null;
    file.end();
    try {
      await finished(file);
    } catch (error) {
      this.fail(error);
    }
    // What was written before a failure is still a recording.
    return file.bytesWritten > 0 ? recording : null;
  }

  private get isOpen(): boolean {
    return this.file !== null && !this.hasFailed;
  }

  /** Silence where the line gave up frames; left for later, many short ones would become a long one where there was none. */
  private fillGap(frameSamples: number, skipped: number): void {
    if (!this.elapsedMs) return;
    const due = Math.min(Math.floor(this.elapsedMs() / FRAME_MS), MAX_FRAMES);
    const missed = due - this.frames;
    const gap = missed > MAX_LAG_FRAMES ? missed : Math.min(skipped, missed);
    if (gap <= 0) return;
    this.frames += gap;
    this.pending.push(Buffer.alloc(gap * frameSamples * BYTES_PER_SAMPLE));
  }

  private write(): void {
    const { file } = this;
    if (!file || this.hasFailed) return;
    if (this.pending.length > 0) file.write(Buffer.concat(this.pending.splice(0)));
    if (file.writableLength > MAX_WAITING_BYTES) this.fail(new Error('The disk is too slow to record.'));
  }

  private fail(error: unknown): void {
    if (this.hasFailed) return;
    this.hasFailed = true;
    this.onError(error);
  }
}
