import { ActionIcon } from '@mantine/core';
import { Play, Square } from 'lucide-react';
import type { VoiceResponse } from '#client/types.gen.js';
import { useTexts } from '../../../texts/texts.js';
import type { VoiceSample } from './use-voice-sample.js';

interface Props {
  readonly voice: VoiceResponse;
  readonly sample: VoiceSample;
  /** Whether the Tab key reaches it. */
  readonly isReached?: boolean;
}

/** Plays and stops a sample. Nothing where the voice cannot be heard: the reason is written next to its name. */
export function SampleButton({ voice, sample, isReached = true }: Props) {
  const t = useTexts('assistants').voices;
  if (!voice.available || voice.synthesizer_provider_id === null) return null;
  const { id, name } = voice;
  const isPlaying = sample.playing?.id === id;
  return (
    <ActionIcon
      variant="default"
      size="lg"
      radius="xl"
      aria-label={isPlaying ? t.stop(name) : t.play(name)}
      tabIndex={isReached ? undefined : -1}
      onClick={() => (isPlaying ? sample.stop() : sample.play(id))}
    >
      {isPlaying ? (
        <Square size={14} aria-hidden="true" data-loading={sample.playing?.isLoading || undefined} />
      ) : (
        <Play size={15} aria-hidden="true" />
      )}
    </ActionIcon>
  );
}
