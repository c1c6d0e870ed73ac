import type { KeyboardEvent } from 'react';
import { usePageKeys } from '../../../components/actions/shortcuts.js';
import type { LiveCall } from '../live-calls.js';

interface LiveKeys {
  readonly calls: readonly LiveCall[];
  readonly openId: number | undefined;
  /** Null where the person may not listen. */
  readonly onListen: ((id: number) => void) | null;
  readonly onHelp: () => void;
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/**
 * Shortcuts: J and K move between the calls, L listens to the one with the focus, ? for help. Inactive while typing.
 *
 * @returns the arrow keys, for the list
 */
export function useLiveKeys({ calls, openId, onListen, onHelp }: LiveKeys) {
  const step = (by: number) => {
    const at = calls.findIndex(({ id }) => id === (focusedCall() ?? openId));
    const next = calls[at === -1 ? 0 : Math.min(calls.length - 1, Math.max(0, at + by))];
    if (next) document.getElementById(linkId(next.id))?.focus();
  };
  const listen = () => {
    const call = calls.find(({ id }) => id === focusedCall());
    if (call && isAudible(call)) onListen?.(call.id);
  };
  usePageKeys([
    ['j', () => step(1)],
    ['k', () => step(-1)],
    ['l', listen],
    ['shift+?', onHelp],
  ]);
  return (event: KeyboardEvent) => {
    const by = STEPS[event.key];
    if (by === undefined) return;
    event.preventDefault();
    step(by);
  };
}

export function linkId(id: number): string {
  return `live-call-${id}`;
}

/** Before a call is answered there is nothing to hear. */
export function isAudible({ status }: LiveCall): boolean {
  return status === 'in-progress';
}

function focusedCall(): number | undefined {
  const id = document.activeElement?.closest<HTMLElement>('[data-call]')?.dataset.call;
  return id === undefined ? undefined : Number(id);
}
