import { type RefObject, useRef, useState } from 'react';

export interface Player {
  readonly audio: RefObject<HTMLAudioElement | null>;
  readonly url: string;
  readonly currentMs: number;
  /** 0 until it is known. */
  readonly durationMs: number;
  readonly isPlaying: boolean;
  readonly isFailed: boolean;
  readonly seek: (ms: number) => void;
  readonly toggle: () => void;
  /** Seeks and plays. */
  readonly playFrom: (ms: number) => void;
  /** For the element that plays. */
  readonly listeners: {
    readonly onTimeUpdate: () => void;
    readonly onLoadedMetadata: () => void;
    readonly onPlay: () => void;
    readonly onPause: () => void;
    readonly onError: () => void;
  };
}

/** Plays a recording. The link of a call that is read again has a new signature, which must not interrupt it. */
export function usePlayer(link: string): Player {
  const audio = useRef<HTMLAudioElement>(null);
  const [url, setUrl] = useState(link);
  if (pathOf(url) !== pathOf(link)) setUrl(link);
  const [currentMs, setCurrentMs] = useState(0);
  const [durationMs, setDurationMs] = useState(0);
  const [isPlaying, setIsPlaying] = useState(false);
  const [isFailed, setIsFailed] = useState(false);
  const play = () => {
    // The element reports what it cannot play; a pause soon after is no failure.
    audio.current?.play().catch(() => undefined);
  };
  const seek = (ms: number) => {
    if (!audio.current) return;
    const target = Math.min(Math.max(ms, 0), durationMs || ms);
    audio.current.currentTime = target / 1_000;
    setCurrentMs(target);
  };
  return {
    audio,
    url,
    currentMs,
    durationMs,
    isPlaying,
    isFailed,
    seek,
    toggle: () => (audio.current?.paused ? play() : audio.current?.pause()),
    playFrom: (ms) => {
      seek(ms);
      play();
    },
    listeners: {
      onTimeUpdate: () => setCurrentMs((audio.current?.currentTime ?? 0) * 1_000),
      onLoadedMetadata: () => setDurationMs(finite(audio.current?.duration) * 1_000),
      onPlay: () => setIsPlaying(true),
      onPause: () => setIsPlaying(false),
      onError: () => setIsFailed(true),
    },
  };
}

function pathOf(url: string): string {
  return url.split('?')[0] ?? '';
}

function finite(seconds: number | undefined): number {
  return seconds !== undefined && Number.isFinite(seconds) ? seconds : 0;
}
