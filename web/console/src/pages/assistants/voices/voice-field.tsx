import { Alert, Anchor, Button, Input, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { VoiceResponse } from '#client/types.gen.js';
import { synthesizersQuery, voicesQuery } from '../../../catalog/queries.js';
import { lazyNamed } from '../../../components/states/lazy-named.js';
import { Problem } from '../../../components/states/problem.js';
import { useField } from '../../../forms/schema-form.js';
import { useTexts } from '../../../texts/texts.js';
import { isInMode } from '../editor/values.js';
import { SampleButton } from './sample-button.js';
import { useVoiceSample } from './use-voice-sample.js';
import { VoiceDetails } from './voice-details.js';
import classes from './voices.module.css';

const VoiceDialog = lazyNamed(async () => (await import('./voice-dialog.js')).VoiceDialog);

interface Props {
  readonly mode: Parameters<typeof voicesQuery>[0];
  readonly languageId: number;
}

/** The voice of an assistant. Those that the available keys cannot speak may be chosen, and say so. */
export function VoiceField({ mode, languageId }: Props) {
  const t = useTexts('assistants').voices;
  const { value, error, set, words } = useField('voice_id');
  const language = useField('language_id');
  const synthesizer = useField('synthesizer_provider_id');
  const [isOpen, setIsOpen] = useState(false);
  const { data: voices } = useQuery(voicesQuery(mode, languageId));
  const { data: vendors } = useQuery(synthesizersQuery(languageId));
  const sample = useVoiceSample(languageId);
  const voice = voices?.find(({ id }) => id === value);
  const reason = voice?.unavailable_reason ?? null;
  const choose = (chosen: VoiceResponse, chosenLanguage: number) => {
    if (chosenLanguage !== languageId) language.set(chosenLanguage);
    set(chosen.id);
    // At another provider, the name of the voice means nothing.
    if (isInMode('synthesizer_provider_id', mode)) synthesizer.set(chosen.synthesizer_provider_id);
    setIsOpen(false);
  };
  return (
    <>
      <Input.Wrapper label={words.label} labelElement="div" error={error}>
        <div className={classes.chosen}>
          {voice ? (
            <VoiceDetails
              voice={voice}
              vendor={vendors?.find(({ id }) => id === voice.synthesizer_provider_id)?.name}
            />
          ) : (
            <Text c="dimmed" className={classes.details}>
              {voices === undefined ? '…' : t.none}
            </Text>
          )}
          {voice && <SampleButton voice={voice} sample={sample} />}
          <Button
            variant="default"
            onClick={() => {
              sample.stop();
              setIsOpen(true);
            }}
          >
            {t.change}
          </Button>
        </div>
      </Input.Wrapper>
      {sample.error ? <Problem error={sample.error} /> : null}
      {reason !== null && (
        <Alert color="amber" role="status">
          {t.long[reason]}{' '}
          {reason === 'no_key' && (
            <Anchor
              inherit
              underline="always"
              renderRoot={(props) => <Link to="/settings" hash="speech-keys" {...props} />}
            >
              {t.addKey}
            </Anchor>
          )}
        </Alert>
      )}
      {isOpen && (
        <VoiceDialog
          mode={mode}
          languageId={languageId}
          voiceId={typeof value === 'number' ? value : null}
          onChoose={choose}
          onClose={() => setIsOpen(false)}
        />
      )}
    </>
  );
}
