import { Drawer } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Loaded } from '../../components/states/loaded.js';
import { useTexts } from '../../texts/texts.js';
import { callQuery } from './call-query.js';
import { CallView } from './call-view.js';

interface Props {
  readonly id: number | undefined;
  readonly onClose: () => void;
}

/** One call, next to the list. */
export function CallDrawer({ id, onClose }: Props) {
  const t = useTexts('calls').details;
  const query = useQuery({ ...callQuery(id ?? 0), enabled: id !== undefined });
  return (
    <Drawer opened={id !== undefined} onClose={onClose} size="36rem" title={`${t.title} ${id ?? ''}`}>
      <Loaded query={query} lines={10}>
        {(call) => <CallView call={call} onDeleted={onClose} />}
      </Loaded>
    </Drawer>
  );
}
