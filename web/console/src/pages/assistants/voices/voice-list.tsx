import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useId } from 'react';
import type { ProviderResponse, VoiceResponse } from '#client/types.gen.js';
import { Dimmed } from '../../../components/dimmed.js';
import { useTexts } from '../../../texts/texts.js';
import { useFormat } from '../../../texts/use-format.js';
import { SampleButton } from './sample-button.js';
import type { VoiceSample } from './use-voice-sample.js';
import { VoiceDetails } from './voice-details.js';
import classes from './voices.module.css';

interface Props {
  readonly voices: readonly VoiceResponse[];
  readonly vendors: readonly ProviderResponse[];
  readonly chosen: number | null;
  readonly sample: VoiceSample;
  readonly onChoose: (id: number) => void;
}

/**
 * One choice of many: arrow keys go through the voices, and Tab leads to the sample of the chosen one. Voices that can be heard
 * come first.
 */
export function VoiceList({ voices, vendors, chosen, sample, onChoose }: Props) {
  const t = useTexts('assistants').voices;
  const format = useFormat();
  const group = useId();
  const sorted = voices.toSorted((a, b) => Number(b.available) - Number(a.available));
  const needsKey = voices.some(({ unavailable_reason: reason }) => reason === 'no_key');
  return (
    <>
      <Text size="sm" c="dimmed" role="status">
        {voices.length === 0
          ? t.nothing
          : voices.length === 1
            ? t.oneVoice
            : t.count(format.number(voices.length))}
      </Text>
      <div role="radiogroup" aria-label={t.list} className={classes.list}>
        {sorted.map((voice) => (
          <div key={voice.id} className={classes.row}>
            <label className={classes.choice}>
              <input
                type="radio"
                name={group}
                value={voice.id}
                checked={voice.id === chosen}
                onChange={() => onChoose(voice.id)}
              />
              <VoiceDetails
                voice={voice}
                vendor={vendors.find(({ id }) => id === voice.synthesizer_provider_id)?.name}
              />
            </label>
            <SampleButton voice={voice} sample={sample} isReached={voice.id === chosen} />
          </div>
        ))}
      </div>
      {needsKey && (
        <Dimmed>
          {t.keyHint}{' '}
          <Anchor
            inherit
            underline="always"
            renderRoot={(props) => <Link to="/settings" hash="speech-keys" {...props} />}
          >
            {t.addKey}
          </Anchor>
        </Dimmed>
      )}
    </>
  );
}
