import { Button, Group, Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { VoiceResponse } from '#client/types.gen.js';
import { synthesizersQuery, useSpokenLanguages, voicesQuery } from '../../../catalog/queries.js';
import { Loaded } from '../../../components/states/loaded.js';
import { Problem } from '../../../components/states/problem.js';
import { useTexts } from '../../../texts/texts.js';
import { useVoiceSample } from './use-voice-sample.js';
import { VoiceFilters, type VoiceFilter } from './voice-filters.js';
import { VoiceList } from './voice-list.js';
import { fits } from './voice-matches.js';
import classes from './voices.module.css';

interface Props {
  readonly mode: Parameters<typeof voicesQuery>[0];
  /** Of the assistant. */
  readonly languageId: number;
  readonly voiceId: number | null;
  readonly onChoose: (voice: VoiceResponse, languageId: number) => void;
  readonly onClose: () => void;
}

/** All voices, to be searched and heard. A voice of another language takes the assistant to that language. */
export function VoiceDialog({ mode, languageId, voiceId, onChoose, onClose }: Props) {
  const t = useTexts('assistants').voices;
  const { actions } = useTexts('common');
  const [filter, setFilter] = useState<VoiceFilter>({ search: '', languageId, vendorId: null });
  const [chosen, setChosen] = useState(voiceId);
  const sample = useVoiceSample(filter.languageId);
  const voices = useQuery(voicesQuery(mode, filter.languageId));
  const { data: vendors = [] } = useQuery(synthesizersQuery(filter.languageId));
  const language = useSpokenLanguages()?.find(({ id }) => id === filter.languageId);
  const voice = voices.data?.find(({ id }) => id === chosen);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // A dialog is inside the form of the page for React, though not in the document.
    event.stopPropagation();
    if (voice) onChoose(voice, filter.languageId);
  };
  const change = (next: VoiceFilter) => {
    if (next.languageId !== filter.languageId) sample.stop();
    setFilter(next);
  };
  return (
    <Modal opened onClose={onClose} size="lg" title={t.title}>
      <form onSubmit={submit} className={classes.dialog}>
        <VoiceFilters filter={filter} voices={voices.data ?? []} vendors={vendors} onChange={change} />
        {sample.error ? <Problem error={sample.error} /> : null}
        <Loaded query={voices} lines={6}>
          {(all) => (
            <VoiceList
              voices={all.filter((each) => fits(each, filter))}
              vendors={vendors}
              chosen={chosen}
              sample={sample}
              onChoose={setChosen}
            />
          )}
        </Loaded>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {actions.cancel}
          </Button>
          <Button type="submit" disabled={!voice}>
            {filter.languageId === languageId ? t.use : t.useWithLanguage(language?.name ?? '')}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}
