import { useState } from 'react';
import { usePageKeys } from '../../../components/actions/shortcuts.js';
import { type Selection, useSelection } from '../../../components/tables/use-selection.js';
import { useIsAllowed } from '../../../session/rights.js';

export interface Choosing {
  readonly isAllowed: boolean;
  /** Null while conversations are not being selected. */
  readonly selection: Selection<string> | null;
  readonly toggle: () => void;
}

/** Selects conversations of the list. The shortcut X begins it, with the open conversation. */
export function useChoosing(ids: readonly string[], openId: string | undefined): Choosing {
  const isAllowed = useIsAllowed('chat');
  const [isOn, setOn] = useState(false);
  const selection = useSelection(ids);
  const toggle = () => {
    setOn(!isOn);
    selection.only([]);
  };
  const selectOpen = () => {
    setOn(true);
    if (openId !== undefined && ids.includes(openId)) selection.toggle(openId);
  };
  usePageKeys(isAllowed ? [['x', selectOpen]] : []);
  return { isAllowed, selection: isOn && isAllowed ? selection : null, toggle };
}
