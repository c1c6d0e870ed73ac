import { Drawer } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getCall } from '#client/sdk.gen.js';
import { dataOf } from '../../api/client.js';
import { isLive } from '../../components/call-status.js';
import { Loaded } from '../../components/states/loaded.js';
import { useTexts } from '../../texts/texts.js';
import { CallView } from './call-view.js';

/** Poll interval of a running call: turns send no hints. */
const LIVE_EVERY_MS = 2_000;

interface Props {
  readonly id: number | undefined;
  readonly onClose: () => void;
}

/** One call, next to the list. */
export function CallDrawer({ id, onClose }: Props) {
  const t = useTexts('calls').details;
  const query = useQuery({
    queryKey: ['calls', 'one', id],
    enabled: id !== undefined,
    queryFn: ({ signal }) => dataOf(getCall({ path: { id: id ?? 0 }, signal, throwOnError: true })),
    refetchInterval: ({ state }) => (state.data && isLive(state.data.status) ? LIVE_EVERY_MS : false),
  });
  return (
    <Drawer
      opened={id !== undefined}
      onClose={onClose}
      size="36rem"
      title={`${t.title} ${id ?? ''}`}
      closeButtonProps={{ 'aria-label': t.close }}
    >
      <Loaded query={query} lines={10}>
        {(call) => <CallView call={call} onDeleted={onClose} />}
      </Loaded>
    </Drawer>
  );
}
