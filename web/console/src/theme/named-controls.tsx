import { createTheme, Drawer, MantineThemeProvider, Modal, Notification } from '@mantine/core';
import { type PropsWithChildren, useMemo } from 'react';
import { useTexts } from '../texts/texts.js';

/** Names the buttons that the library draws by itself, in the language of the reader. */
export function NamedControls({ children }: PropsWithChildren) {
  const { actions } = useTexts('common');
  const named = useMemo(() => {
    const defaultProps = { closeButtonProps: { 'aria-label': actions.close } };
    return createTheme({
      components: {
        Drawer: Drawer.extend({ defaultProps }),
        Modal: Modal.extend({ defaultProps }),
        Notification: Notification.extend({ defaultProps }),
      },
    });
  }, [actions.close]);
  return <MantineThemeProvider theme={named}>{children}</MantineThemeProvider>;
}
