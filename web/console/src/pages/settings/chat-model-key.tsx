import { queryOptions, useQuery } from '@tanstack/react-query';
import { PutChatModelKeyRequestSchema } from '#client/rules.gen.js';
import { deleteChatModelKey, getChatModelKey, putChatModelKey, testChatModelKey } from '#client/sdk.gen.js';
import { dataOf } from '../../api/client.js';
import { Panel } from '../../components/page/panel.js';
import { Loaded } from '../../components/states/loaded.js';
import { useTexts } from '../../texts/texts.js';
import { ModelKeyForm } from './model-key-form.js';

/** Null where none is stored. */
const chatModelKeyQuery = queryOptions({
  queryKey: ['chat-model-key'],
  queryFn: async ({ signal }) => (await dataOf(getChatModelKey, { signal })).data,
  refetchOnWindowFocus: false,
});

/** The account's own model key, used in place of the installation's. */
export function ChatModelKey() {
  const t = useTexts('settings').chatModelKey;
  const stored = useQuery(chatModelKeyQuery);
  return (
    <Panel id="chat-model" title={t.title} subtitle={t.text}>
      <Loaded query={stored} lines={3}>
        {(key) => (
          <ModelKeyForm
            key={key?.updated_at}
            stored={key}
            schema={PutChatModelKeyRequestSchema}
            values={{ base_url: key?.base_url ?? null, model: key?.model ?? null }}
            fields={[{ name: 'base_url', isUrl: true }, { name: 'model' }]}
            texts={t}
            save={(values) => dataOf(putChatModelKey, { body: values })}
            test={async () => (await dataOf(testChatModelKey, {})).data.result}
            remove={() => dataOf(deleteChatModelKey, {})}
            queryKey={chatModelKeyQuery.queryKey}
          />
        )}
      </Loaded>
    </Panel>
  );
}
