import { useState } from 'react';

const SHOWN_MS = 2_000;

export interface Copying {
  readonly state: 'idle' | 'copied' | 'failed';
  readonly copy: (text: string) => Promise<boolean>;
}

/** Copies texts and reports success or failure. */
export function useCopy(): Copying {
  const [state, setState] = useState<Copying['state']>('idle');
  const copy = async (text: string) => {
    const isCopied = await copyText(text);
    setState(isCopied ? 'copied' : 'failed');
    if (isCopied) setTimeout(() => setState('idle'), SHOWN_MS);
    return isCopied;
  };
  return { state, copy };
}

/** @returns false if the browser refuses */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Browsers offer the clipboard on https pages only, and can refuse it there too.
    return copyBySelection(text);
  }
}

function copyBySelection(text: string): boolean {
  const focused = document.activeElement;
  const area = document.createElement('textarea');
  area.value = text;
  area.setAttribute('readonly', '');
  // Inside the dialog, which keeps the focus within itself.
  (focused?.closest('[role="dialog"]') ?? document.body).append(area);
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return isCopied;
}
