import { usePageKeys } from '../../../components/actions/shortcuts.js';
import { rowOf } from '../use-focus.js';

interface ListKeys {
  readonly ids: readonly string[];
  readonly openId: string | undefined;
  readonly onOpen: (id: string) => void;
  readonly onSearch: () => void;
  readonly onHelp: () => void;
}

/** Shortcuts: J and K for the list, / for the search, ? for help. Inactive while typing. */
export function useListKeys({ ids, openId, onOpen, onSearch, onHelp }: ListKeys): void {
  const step = (by: number) => {
    const at = openId === undefined ? -1 : ids.indexOf(openId);
    const next = ids[at === -1 ? 0 : Math.min(ids.length - 1, Math.max(0, at + by))];
    if (next !== undefined && next !== openId) onOpen(next);
    if (next === undefined) return;
    const row = rowOf(next);
    row?.focus({ preventScroll: true });
    row?.scrollIntoView({ block: 'nearest' });
  };
  usePageKeys([
    ['j', () => step(1)],
    ['k', () => step(-1)],
    ['/', onSearch],
    ['shift+?', onHelp],
  ]);
}
