import { Switch } from '@mantine/core';
import '@mantine/core/styles/InlineInput.layer.css';
import '@mantine/core/styles/Switch.layer.css';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { updateSettings } from '#client/sdk.gen.js';
import { dataOf } from '../../api/client.js';
import { Panel } from '../../components/page/panel.js';
import { Loaded } from '../../components/states/loaded.js';
import { Problem } from '../../components/states/problem.js';
import { settingsQuery } from '../../session/me.js';
import { useTexts } from '../../texts/texts.js';

/** Whether people of the account may make links to calls for others. */
export function CallSharing() {
  const t = useTexts('settings').callSharing;
  const queries = useQueryClient();
  const settings = useQuery(settingsQuery);
  const change = useMutation({
    mutationFn: (isOn: boolean) => dataOf(updateSettings, { body: { call_sharing: isOn } }),
    onSuccess: ({ data }) => queries.setQueryData(settingsQuery.queryKey, data),
  });
  return (
    <Panel title={t.title}>
      <Loaded query={settings} lines={1}>
        {({ call_sharing: isOn }) => (
          <Switch
            label={t.label}
            description={t.text}
            checked={isOn}
            disabled={change.isPending}
            onChange={({ currentTarget }) => change.mutate(currentTarget.checked)}
          />
        )}
      </Loaded>
      {change.error && <Problem error={change.error} />}
    </Panel>
  );
}
