import { useHotkeys } from '@mantine/hooks';
import { lazy, type ReactNode, Suspense, useRef, useState } from 'react';
import { isDialogOpen } from '../../components/actions/open-dialog.js';
import type { PaletteItem } from './palette-group.js';

const Palette = lazy(async () => ({ default: (await import('./palette.js')).Palette }));

interface OpenablePalette {
  readonly open: () => void;
  /** The palette while it is open. Its code loads when it first opens. */
  readonly palette: ReactNode;
}

/** The search over everything, which Ctrl+K or ⌘K opens. */
export function usePalette(): OpenablePalette {
  const [isOpen, setOpen] = useState(false);
  const focused = useRef<Element | null>(null);
  const open = () => {
    // A dialog can have what is not saved yet.
    if (isDialogOpen()) return;
    focused.current = document.activeElement;
    setOpen(true);
  };
  const close = () => {
    setOpen(false);
    focus(focused.current);
  };
  const choose = (item: PaletteItem) => {
    setOpen(false);
    focus(document.getElementById('content'));
    item.open();
  };
  // In fields as well.
  useHotkeys([['mod+K', open]], [], true);
  const palette = isOpen && (
    <Suspense fallback={null}>
      <Palette onClose={close} onChoose={choose} />
    </Suspense>
  );
  return { open, palette };
}

function focus(element: Element | null): void {
  if (element instanceof HTMLElement && element.isConnected) element.focus({ preventScroll: true });
}
