import { createWriteStream, type WriteStream } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { SampleQueue } from '../../common/audio/sample-queue.js';
import { FRAME_MS, frameLength, rmsOf } from '@prosa/audio';
import { recordingFileName } from '../../runtime/call/recording-file.js';
import type { SessionRecording } from '../../runtime/call/session/assistant-session.js';
import type { AudioTap } from '../line/audio-tap.js';
import { LeastOf } from './least-of.js';

/** Half an hour: longer than any call may last. 2 MB a minute at 8 kHz. */
const MAX_FRAMES = (30 * 60_000) / FRAME_MS;
/** Frames are written together, four times a second. */
const FRAMES_PER_WRITE = 12;
/** Of both sides. */
const BYTES_PER_SAMPLE = 4;
/** How far the disk may be behind; then the recording ends there, and the call continues. */
const MAX_WAITING_BYTES = 8 * 1024 * 1024;
/** How far one side may be ahead of its time, or behind it, before that is corrected. */
const MAX_LAG_FRAMES = 10;
/** How long it must have been so: frames that are late come all at once. */
const LAG_WINDOW_FRAMES = 25;
/** The correction waits for a pause of the customer for so long, lest it cuts a word or a key in two. */
const MAX_PAUSE_WAIT_FRAMES = 150;
/** Below it a frame is a pause, 0 to 1. */
const SILENT_LEVEL = 0.01;
/** How long one side waits for the other: five seconds. What comes later than that is recorded at the time it comes. */
const MAX_WAITING_FRAMES = 250;

/**
 * Records a call as both sides hear it: the customer on the left, the assistant on the right. Each side is put together by its
 * media time, which is the count of its frames: a frame that comes late has its own place all the same. The side that is ahead waits
 * for the other. Raw samples are written while the call runs, so that a crash leaves a file which `packRecording` can still make a
 * recording of.
 */
export class CallRecorder implements AudioTap {
  /** What was heard and said, and is not written yet. Both begin at the same time, `frames`. */
  private readonly heard = new SampleQueue();
  private readonly said = new SampleQueue();
  private readonly leastLag = new LeastOf(LAG_WINDOW_FRAMES);
  private readonly leastLead = new LeastOf(LAG_WINDOW_FRAMES);
  /** What the customer's side is to be corrected by, and how many frames that has waited for a pause. */
  private lostFrames = 0;
  private waitedFrames = 0;
  private readonly pending: Buffer[] = [];
  private file: WriteStream | null = null;
  private recording: SessionRecording | null = null;
  private elapsedMs: (() => number) | null = null;
  private frameSamples = 0;
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
  begin(sampleRateHz: number, elapsedMs: (() => number) | null = null): AudioTap {
    this.frames = Math.round((elapsedMs?.() ?? 0) / FRAME_MS);
    this.frameSamples = frameLength(sampleRateHz);
    this.elapsedMs = elapsedMs;
    const file = { recordAs: this.recordAs, startMs: this.frames * FRAME_MS, sampleRateHz };
    const path = join(this.folder, recordingFileName(file));
    this.recording = { path, sampleRateHz };
    // What is not written before the start reads as zeros, and takes no room.
    const start = this.frames * this.frameSamples * BYTES_PER_SAMPLE;
    this.file = createWriteStream(path, { flags: 'wx', mode: 0o600, start });
    this.file.on('error', (error) => this.fail(error));
    return this;
  }

  customer(frame: Int16Array): void {
    if (!this.isOpen) return;
    this.fillLost(frame);
    this.heard.push(frame);
    const lag = this.leastLag.add(this.framesMissing(this.heard));
    if (lag > MAX_LAG_FRAMES && this.lostFrames === 0) this.lostFrames = lag;
    this.join();
  }

  assistant(frame: Int16Array, skipped = 0): void {
    if (!this.isOpen) return;
    this.fillGap(skipped);
    this.said.push(frame);
    this.join();
    const lead = this.leastLead.add(Math.floor(this.heard.length / this.frameSamples));
    if (lead > MAX_LAG_FRAMES) this.heard.skip(lead * this.frameSamples);
  }

  /**
   * Ends the recording, within milliseconds.
   *
   * @returns the samples, to be packed and deleted by the caller; null when nothing was recorded
   */
  async finish(): Promise<SessionRecording | null> {
    const { file, recording } = this;
    if (!file || !recording) return null;
    this.level();
    this.join();
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
    return this.file !== null && !this.hasFailed && this.frames < MAX_FRAMES;
  }

  /** By how many frames a side is behind the call's time; 0 where that is not known. */
  private framesMissing(side: SampleQueue): number {
    if (!this.elapsedMs) return 0;
    const due = Math.min(Math.floor(this.elapsedMs() / FRAME_MS), MAX_FRAMES);
    return due - this.frames - Math.floor(side.length / this.frameSamples);
  }

  /** Silence where the line gave up frames; left for later, many short ones would become a long one where there was none. */
  private fillGap(skipped: number): void {
    const missed = this.framesMissing(this.said);
    const gap = missed > MAX_LAG_FRAMES ? missed : Math.min(skipped, missed);
    if (gap > 0) this.addSilence(this.said, gap);
  }

  /** Silence for frames that the line has lost for good. @param next the customer's next frame */
  private fillLost(next: Int16Array): void {
    if (this.lostFrames === 0) return;
    if (rmsOf(next) >= SILENT_LEVEL && ++this.waitedFrames < MAX_PAUSE_WAIT_FRAMES) return;
    const missing = Math.min(this.lostFrames, this.framesMissing(this.heard));
    if (missing > 0) this.addSilence(this.heard, missing);
    this.lostFrames = this.waitedFrames = 0;
  }

  private addSilence(side: SampleQueue, frames: number): void {
    side.push(new Int16Array(frames * this.frameSamples));
  }

  /** Puts together what both sides have by now. */
  private join(): void {
    const { heard, said, frameSamples } = this;
    if (Math.abs(heard.length - said.length) > MAX_WAITING_FRAMES * frameSamples) this.level();
    while (Math.min(heard.length, said.length) >= frameSamples && this.frames < MAX_FRAMES) {
      this.pending.push(this.nextFrame());
      this.frames++;
    }
    if (this.pending.length >= FRAMES_PER_WRITE) this.write();
  }

  /** The side that is behind is silent up to where the other is. */
  private level(): void {
    const { heard, said } = this;
    const ahead = said.length - heard.length;
    if (ahead > 0) heard.push(new Int16Array(ahead));
    else if (ahead < 0) said.push(new Int16Array(-ahead));
  }

  private nextFrame(): Buffer {
    const { frameSamples } = this;
    const customer = new Int16Array(frameSamples);
    const assistant = new Int16Array(frameSamples);
    this.heard.read(customer);
    this.said.read(assistant);
    const both = new Int16Array(frameSamples * 2);
    for (let index = 0; index < frameSamples; index++) {
      both[index * 2] = customer[index] ?? 0;
      both[index * 2 + 1] = assistant[index] ?? 0;
    }
    return Buffer.from(both.buffer);
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
