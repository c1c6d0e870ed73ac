import { useEffect, useRef, useState } from 'react';
import { getVoiceSample } from '#client/sdk.gen.js';
import { dataOf } from '../../../api/client.js';

interface Playing {
  readonly id: number;
  readonly isLoading: boolean;
}

export interface VoiceSample {
  readonly playing: Playing | null;
  readonly error: unknown;
  readonly play: (id: number) => void;
  readonly stop: () => void;
}

/** Plays the sample of one voice at a time. @param languageId in which the voice speaks */
export function useVoiceSample(languageId: number): VoiceSample {
  const audio = useRef<HTMLAudioElement | null>(null);
  const [playing, setPlaying] = useState<Playing | null>(null);
  const [error, setError] = useState<unknown>(null);
  useEffect(() => () => audio.current?.pause(), []);
  const stop = () => {
    audio.current?.pause();
    audio.current = null;
    setPlaying(null);
  };
  const play = (id: number) => {
    stop();
    setError(null);
    const sample = new Audio(`/api/user/assistants/voices/${id}/sample?language_id=${languageId}`);
    const isCurrent = () => audio.current === sample;
    const fail = async () => {
      if (!isCurrent()) return;
      stop();
      setError(await reasonOf(id, languageId));
    };
    sample.addEventListener('playing', () => isCurrent() && setPlaying({ id, isLoading: false }));
    sample.addEventListener('ended', () => isCurrent() && stop());
    sample.addEventListener('error', () => void fail());
    audio.current = sample;
    setPlaying({ id, isLoading: true });
    // An element that cannot play says so by its event; one that the browser does not let play has no error.
    sample.play().catch(() => !sample.error && isCurrent() && stop());
  };
  return { playing, error, play, stop };
}

/** An audio element does not tell why there is no sound: the server is asked once more. */
async function reasonOf(id: number, languageId: number): Promise<unknown> {
  const query = { language_id: languageId };
  return dataOf(getVoiceSample, { path: { id }, query }).then(
    () => null,
    (reason: unknown) => reason,
  );
}
