import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Logger } from '../../../common/observability/logger.js';
import { MetricsService } from '../../../common/observability/metrics.service.js';
import { ServerConfig } from '../../../config/config.js';
import { SessionLocks } from '../../../database/connections/session-locks.js';
import { type RecordingFile, recordingFileOf } from '../../../runtime/call/recording-file.js';
import type { SessionRecording } from '../../../runtime/call/session/session-facts.js';
import type { StoredCall } from '../../calls/call-facts.js';
import { joined, joinedPathOf, partsOf, type RecordingPart } from './recording-parts.js';
import { RecordingSpoolService } from './recording-spool.service.js';
import { RecordingStoreService } from '../../calls/recordings/recording-store.service.js';

/** What a recording is named beyond its samples. */
const PACKED = /\.ogg(\.part)?$/;
const SWEEP_MS = 60_000;
/** Samples are written four times a second: after this long without one, no process writes the recording any more. */
const RESTS_MS = 60_000;

/** Of `prosa_recordings_total`. */
type Outcome = 'stored' | 'failed';

/**
 * Packs the recordings of calls that have ended here, and stores them. What cannot be stored stays on the disk and is tried
 * again until it is stored, as are the recordings of calls whose process died: they are found by the names of their files.
 */
@Injectable()
export class RecordingUploadsService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly folder: string;
  private readonly count: (labels: { outcome: Outcome }) => void;
  /** Files that could not be stored, of which the log knows. */
  private readonly failing = new Set<string>();
  private timer: NodeJS.Timeout | null = null;
  private sweeping: Promise<unknown> = Promise.resolve();
  private isClosing = false;

  constructor(
    private readonly store: RecordingStoreService,
    private readonly locks: SessionLocks,
    private readonly server: ServerConfig,
    private readonly logger: Logger,
    metrics: MetricsService,
    { folder }: RecordingSpoolService,
  ) {
    this.folder = folder;
    this.count = metrics.counter({
      name: 'prosa_recordings_total',
      help: 'Recordings of calls that were stored, or failed to be stored for now',
      labelNames: ['outcome'],
    });
  }

  onApplicationBootstrap(): void {
    if (!this.server.roles.has('voice')) return;
    this.timer = setInterval(() => {
      this.sweeping = this.sweeping.then(() => this.sweep());
    }, SWEEP_MS).unref();
  }

  async onModuleDestroy(): Promise<void> {
    this.isClosing = true;
    if (this.timer) clearInterval(this.timer);
    await this.sweeping;
  }

  /** Stores the recording of a call. Never fails: what is not stored now is tried again later. */
  async upload(
    { userId, id }: Pick<StoredCall, 'userId' | 'id'>,
    { path, sampleRateHz }: SessionRecording,
  ): Promise<void> {
    try {
      await this.locks.tryWith('call', id, () =>
        this.packAndStore({ userId, callId: id, path, sampleRateHz }),
      );
    } catch (error) {
      this.failed(id, path, error);
    }
  }

  /** Stores what processes have left on this disk that died, or could not store it. Never fails. */
  async sweep(nowMs = Date.now()): Promise<void> {
    try {
      const names = await namesIn(this.folder);
      for (const samples of new Set(names.map((name) => name.replace(PACKED, '')))) {
        if (this.isClosing) return;
        await this.lookAt(join(this.folder, samples), recordingFileOf(samples), nowMs);
      }
    } catch (error) {
      this.logger.warn('recordings left behind were not looked for', { err: error });
    }
  }

  /** @param path of the samples, which may be packed already, and gone */
  private async lookAt(path: string, file: RecordingFile | null, nowMs: number): Promise<void> {
    if (!file) return;
    const { recordAs: callId, sampleRateHz } = file;
    try {
      const restsMs = nowMs - (await writtenAtMs(path));
      if (restsMs < RESTS_MS) return;
      const call = await this.store.findCall(callId);
      if (call && !call.isOver) return;
      if (call && !call.hasRecording) {
        const upload = { userId: call.userId, callId, path, sampleRateHz };
        await this.locks.tryWith('call', callId, () => this.packAndStore(upload));
        return;
      }
      await removeAll(path);
    } catch (error) {
      this.failed(callId, path, error);
    }
  }

  private async packAndStore({ userId, callId, path, sampleRateHz }: Upload): Promise<void> {
    const packed = `${path}.ogg`;
    const parts = (await isThere(path)) ? await partsOf({ path, sampleRateHz }) : [];
    if ((await isThere(packed)) || (await this.pack(parts, { path, sampleRateHz }, packed))) {
      if (await this.store.keep({ userId, id: callId }, packed)) this.count({ outcome: 'stored' });
    }
    await removeAll(path);
    for (const part of parts) await removeAll(part.path);
    this.failing.delete(path);
  }

  /** False when nothing was recorded. */
  private async pack(
    parts: readonly RecordingPart[],
    recording: SessionRecording,
    to: string,
  ): Promise<boolean> {
    const { packRecording } = await import('../../../voice/recording/pack-recording.js');
    return packRecording(await joined(parts, recording), to);
  }

  private failed(callId: number, path: string, error: unknown): void {
    if (this.failing.has(path)) return;
    this.failing.add(path);
    this.count({ outcome: 'failed' });
    this.logger.warn('recording not stored; it is tried again', { callId, err: error });
  }
}

interface Upload extends SessionRecording {
  readonly userId: number;
  readonly callId: number;
}

function filesOf(samples: string): string[] {
  return [samples, joinedPathOf(samples), `${samples}.ogg`, `${samples}.ogg.part`];
}

/** When the last samples came, or the recording was packed. */
async function writtenAtMs(samples: string): Promise<number> {
  for (const path of filesOf(samples)) {
    const file = await stat(path).catch(() => null);
    if (file) return file.mtimeMs;
  }
  return Infinity;
}

/** The samples, and all that was made of them. */
async function removeAll(samples: string): Promise<void> {
  for (const path of filesOf(samples)) await rm(path, { force: true });
}

async function isThere(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null)) !== null;
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
