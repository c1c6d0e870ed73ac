import { VisuallyHidden } from '@mantine/core';
import { useNow } from '../../components/ticking.js';
import { useFormat } from '../../texts/use-format.js';

const SECOND_MS = 1_000;

interface Props {
  readonly name: string;
  /** Otherwise for screen readers only. */
  readonly isNameShown?: boolean;
  readonly since: string;
}

/** How long something has lasted. */
export function Clock({ name, isNameShown, since }: Props) {
  const format = useFormat();
  const seconds = (useNow() - Date.parse(since)) / SECOND_MS;
  return (
    <span className="tabular">
      {isNameShown ? `${name}: ` : <VisuallyHidden>{name}: </VisuallyHidden>}
      {format.duration(seconds)}
    </span>
  );
}
