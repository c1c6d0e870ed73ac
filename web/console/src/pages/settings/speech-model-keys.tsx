import { Select, Stack } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { PutSpeechModelKeyRequestSchema } from '#client/rules.gen.js';
import {
  deleteSpeechModelKey,
  listSpeechModelKeys,
  putSpeechModelKey,
  testSpeechModelKey,
} from '#client/sdk.gen.js';
import type { SpeechModelKeyResponse } from '#client/types.gen.js';
import { dataOf } from '../../api/client.js';
import { Panel } from '../../components/page/panel.js';
import { Loaded } from '../../components/states/loaded.js';
import { useTexts } from '../../texts/texts.js';
import { ModelKeyForm } from './model-key-form.js';

type Provider = SpeechModelKeyResponse['provider'];

/** Names of providers, the same in every language. */
const NAMES: Readonly<Record<Provider, string>> = {
  deepgram: 'Deepgram',
  elevenlabs: 'ElevenLabs',
  openai: 'OpenAI',
  google: 'Google Gemini',
  xai: 'xAI',
  azure: 'Azure',
  cartesia: 'Cartesia',
};
const PROVIDERS = Object.keys(NAMES) as Provider[];

/** Fields of OpenAI-compatible servers only. */
const FIELDS_OF_OPENAI = [
  { name: 'base_url', isUrl: true },
  { name: 'speech_to_text_model' },
  { name: 'text_to_speech_model' },
];

/** Fields of each provider other than the key. */
function fieldsOf(provider: Provider) {
  if (provider === 'openai') return FIELDS_OF_OPENAI;
  return provider === 'azure' ? [{ name: 'region' }] : [];
}

const speechModelKeysQuery = queryOptions({
  queryKey: ['speech-model-keys'],
  queryFn: async ({ signal }) => (await dataOf(listSpeechModelKeys, { signal })).data,
  refetchOnWindowFocus: false,
});

/** The account's own speech keys, used in place of the installation's. */
export function SpeechModelKeys() {
  const t = useTexts('settings').speechModelKeys;
  const stored = useQuery(speechModelKeysQuery);
  return (
    <Panel id="speech-keys" title={t.title} subtitle={t.text}>
      <Loaded query={stored} lines={3}>
        {(keys) => <KeyOfProvider keys={keys} />}
      </Loaded>
    </Panel>
  );
}

function KeyOfProvider({ keys }: { readonly keys: readonly SpeechModelKeyResponse[] }) {
  const t = useTexts('settings').speechModelKeys;
  const [provider, setProvider] = useState<Provider>(keys[0]?.provider ?? 'deepgram');
  const keyOf = (named: Provider) => keys.find((key) => key.provider === named) ?? null;
  const stored = keyOf(provider);
  const path = { provider };
  const options = PROVIDERS.map((value) => {
    const key = keyOf(value);
    return { value, label: key ? `${NAMES[value]} · ${t.status[key.status]}` : NAMES[value] };
  });
  return (
    <Stack>
      <Select
        label={t.provider}
        data={options}
        value={provider}
        allowDeselect={false}
        onChange={(value) => setProvider(value ?? provider)}
      />
      <ModelKeyForm
        key={`${provider} ${stored?.updated_at ?? ''}`}
        stored={stored}
        schema={PutSpeechModelKeyRequestSchema}
        values={
          provider === 'openai'
            ? {
                base_url: stored?.base_url ?? null,
                speech_to_text_model: stored?.speech_to_text_model ?? null,
                text_to_speech_model: stored?.text_to_speech_model ?? null,
              }
            : provider === 'azure'
              ? { region: stored?.region ?? null }
              : {}
        }
        fields={fieldsOf(provider)}
        texts={t}
        save={(values) => dataOf(putSpeechModelKey, { path, body: values })}
        test={async () => (await dataOf(testSpeechModelKey, { path })).data.result}
        remove={() => dataOf(deleteSpeechModelKey, { path })}
        queryKey={speechModelKeysQuery.queryKey}
      />
    </Stack>
  );
}
