import { useComputedColorScheme } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Loaded } from '../../components/states/loaded.js';
import { NoPage } from '../../components/page/page-failure.js';
import { Page } from '../../components/page/page.js';
import { pluginPagesQuery } from '../../shell/plugin-pages.js';
import { useLanguage } from '../../texts/texts.js';
import classes from './page.module.css';

const route = getRouteApi('/shell/plugins/$name');

/** Page of a plugin, in a frame: it has its own scripts and uses the session. */
export function PluginPage() {
  const { name } = route.useParams();
  const { language } = useLanguage();
  const scheme = useComputedColorScheme('light');
  const query = useQuery(pluginPagesQuery);
  return (
    <Loaded query={query}>
      {(pages) => {
        const found = pages.find((each) => each.name === name);
        if (!found) return <NoPage />;
        const title = found.title[language];
        return (
          <Page title={title} wide>
            <iframe
              key={name}
              className={classes.frame}
              title={title}
              src={`${found.url}?lang=${language}&scheme=${scheme}`}
            />
          </Page>
        );
      }}
    </Loaded>
  );
}
