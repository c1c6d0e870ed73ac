import { Burger, Drawer } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link, Outlet } from '@tanstack/react-router';
import { Logo } from '../components/logo.js';
import { BadgeContext } from '../components/page/title-badge.js';
import { ConnectionNotice } from '../live/connection-notice.js';
import { LiveHintsProvider } from '../live/live-hints.js';
import { ExpiredDialog } from '../session/expired-dialog.js';
import { useTexts } from '../texts/texts.js';
import { AccountMenu } from './account-menu.js';
import { DemoModelBar } from './demo-model-bar.js';
import { useFocusTitle } from './focus-title.js';
import { Navigation } from './navigation.js';
import { Offers } from './offers/offers.js';
import { PaletteButton } from './palette/palette-button.js';
import { usePalette } from './palette/use-palette.js';
import classes from './shell.module.css';
import { useWaiting } from './use-waiting.js';

/** Frame of every page that requires a session. */
export function Shell() {
  return (
    <LiveHintsProvider>
      <Frame />
      <ConnectionNotice />
      <ExpiredDialog />
    </LiveHintsProvider>
  );
}

function Frame() {
  const t = useTexts('shell');
  const [isOpen, { open, close }] = useDisclosure(false);
  const waiting = useWaiting();
  const search = usePalette();
  useFocusTitle();
  return (
    <BadgeContext value={waiting}>
      <a className={classes.skip} href="#content">
        {t.skip}
      </a>
      <Offers />
      <div className={classes.frame}>
        <nav className={classes.topBar} aria-label="Prosa">
          <Burger opened={isOpen} onClick={open} size="sm" aria-label={t.openNavigation} />
          <Brand />
          <PaletteButton isSmall onClick={search.open} />
        </nav>
        <aside className={classes.sidebar}>
          <Brand />
          <PaletteButton onClick={search.open} />
          <Navigation waiting={waiting} />
          <AccountMenu />
        </aside>
        <main id="content" className={classes.content} tabIndex={-1}>
          <DemoModelBar />
          <div className={classes.page}>
            <Outlet />
          </div>
        </main>
      </div>
      <Drawer
        opened={isOpen}
        onClose={close}
        position="left"
        size={280}
        title={<Brand />}
        closeButtonProps={{ 'aria-label': t.closeNavigation }}
      >
        <Navigation waiting={waiting} onNavigate={close} />
        <AccountMenu />
      </Drawer>
      {search.palette}
    </BadgeContext>
  );
}

function Brand() {
  return (
    <Link to="/" className={classes.brand}>
      <Logo size={26} />
      Prosa
    </Link>
  );
}
