import { createWriteStream, type WriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { SampleQueue } from '../../common/audio/sample-queue.js';
import { FRAME_MS } from '../../common/audio/pcm.js';
import type { TalkRecording } from '../../runtime/call/talk.js';
import type { LineTap } from '../talk/talk-line.js';
import { finishRecording } from './finish-recording.js';

/** Half an hour: longer than any call may last. 2 MB a minute at 8 kHz. */
const MAX_FRAMES = (30 * 60_000) / FRAME_MS;
/** Frames are written together, four times a second. */
const FRAMES_PER_WRITE = 12;
/** What the disk may be behind; then the recording ends where it is, and the call goes on. */
const MAX_WAITING_BYTES = 8 * 1024 * 1024;
/** How far what the customer says may lie behind the clock of the line before some of it is left out. */
const MAX_LAG_FRAMES = 10;

/**
 * Records a call as both sides hear it: the customer on the left, the assistant on the right. What goes out sets the pace; what
 * comes in is put beside it. Raw samples are written while the call runs, so that a crash leaves a file which
 * `finishRecording` can still make a recording of.
 */
export class CallRecorder implements LineTap {
  private readonly heard = new SampleQueue();
  private readonly pending: Buffer[] = [];
  private file: WriteStream | null = null;
  private sampleRateHz = 0;
  private frames = 0;
  private hasFailed = false;

  /**
   * @param path of the raw samples; the recording itself lies beside it
   * @param onError hears when nothing more can be recorded
   */
  constructor(
    private readonly path: string,
    private readonly onError: (error: unknown) => void,
  ) {}

  /** Begins to record a line of this rate. */
  begin(sampleRateHz: number): LineTap {
    this.sampleRateHz = sampleRateHz;
    this.file = createWriteStream(this.path, { flags: 'wx', mode: 0o600 });
    this.file.on('error', (error) => this.fail(error));
    return this;
  }

  customer(frame: Int16Array): void {
    if (!this.isOpen) return;
    this.heard.push(frame);
    const { length } = frame;
    if (this.heard.length > MAX_LAG_FRAMES * length) this.heard.skip(this.heard.length - 3 * length);
  }

  assistant(frame: Int16Array): void {
    if (!this.isOpen || this.frames >= MAX_FRAMES) return;
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
   * Ends the recording and packs it, in a process of its own.
   *
   * @returns null when nothing was recorded
   */
  async finish(): Promise<TalkRecording | null> {
    const { file } = this;
    if (!file) return null;
    this.write();
    this.file = null;
    try {
      file.end();
      if (!this.hasFailed) await finished(file);
      return await finishRecording(this.path, this.sampleRateHz);
    } catch (error) {
      this.fail(error);
      return null;
    }
  }

  private get isOpen(): boolean {
    return this.file !== null && !this.hasFailed;
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
