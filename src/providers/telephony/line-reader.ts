import { type CallAudio, FrameQueue } from '@prosa/audio';

/** Unread frames that are kept: a second. */
const MAX_UNREAD_FRAMES = 50;

/** The audio of one leg, for the reader that opened it last. */
export class LineReader {
  private reader: FrameQueue | null = null;

  /**
   * Opens the audio. The previous reader hears no more, and is not heard.
   *
   * @param line the way to the far end, asked for as long as the sound is open here
   * @param signal closes it
   */
  open(line: Pick<CallAudio, 'sampleRateHz' | 'send' | 'clear'>, signal: AbortSignal): CallAudio {
    this.reader?.end();
    const heard = new FrameQueue(MAX_UNREAD_FRAMES);
    this.reader = heard;
    const isOpen = () => this.reader === heard;
    const close = () => {
      heard.end();
      if (isOpen()) this.reader = null;
    };
    if (signal.aborted) close();
    else signal.addEventListener('abort', close, { once: true });
    return {
      sampleRateHz: line.sampleRateHz,
      heard,
      send: (frame) => {
        if (isOpen()) line.send(frame);
      },
      clear: () => {
        if (isOpen()) line.clear();
      },
    };
  }

  /** Time in which nothing was heard, because this process was held up. */
  pushSilence(frames: number, frameSamples: number): void {
    this.reader?.pushSilence(frames, frameSamples);
  }

  /** What the far end says. */
  push(frame: Int16Array): void {
    this.reader?.push(frame);
  }

  /** The leg is over. */
  end(): void {
    this.reader?.end();
    this.reader = null;
  }
}
