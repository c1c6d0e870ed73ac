import { Badge, Text } from '@mantine/core';
import type { VoiceResponse } from '#client/types.gen.js';
import { useTexts } from '../../../texts/texts.js';
import classes from './voices.module.css';

interface Props {
  readonly voice: VoiceResponse;
  readonly vendor: string | undefined;
}

/** The name of a voice, what is known of it, and why it cannot be heard. */
export function VoiceDetails({ voice, vendor }: Props) {
  const t = useTexts('assistants').voices;
  const {
    name,
    gender,
    accent,
    age,
    unavailable_reason: reason,
    synthesizer_provider_id: synthesizer,
  } = voice;
  const details = [vendor, t.gender[gender], accent, age].filter(Boolean).join(' · ');
  return (
    <span className={classes.details}>
      <span className={classes.name}>
        {name}
        {reason !== null && <Badge color="amber">{t.short[reason]}</Badge>}
        {reason === null && synthesizer === null && <Badge color="gray">{t.onlyInCalls}</Badge>}
      </span>
      <Text size="sm" c="dimmed" component="span">
        {details}
      </Text>
    </span>
  );
}
