import { type QueryKey, useQuery } from '@tanstack/react-query';
import { Copyable } from '../../components/actions/copyable.js';
import { Dimmed } from '../../components/dimmed.js';
import { Loaded } from '../../components/states/loaded.js';
import { useTexts } from '../../texts/texts.js';
import { useFormat } from '../../texts/use-format.js';

interface Props {
  readonly queryKey: QueryKey;
  readonly load: (
    signal: AbortSignal,
  ) => Promise<{ readonly secret: string; readonly previous_expires_at: string | null }>;
}

/** A signing secret, and until when the one before it is valid. It is not kept when it is hidden. */
export function ShownSecret({ queryKey, load }: Props) {
  const { secret: t } = useTexts('webhooks');
  const format = useFormat();
  const secret = useQuery({ queryKey, queryFn: ({ signal }) => load(signal), gcTime: 0 });
  return (
    <Loaded query={secret} lines={1}>
      {({ secret: text, previous_expires_at: until }) => (
        <>
          <Copyable text={text} label={t.label} />
          {until && <Dimmed mt="xs">{t.previous(format.dateTime(until))}</Dimmed>}
        </>
      )}
    </Loaded>
  );
}
