import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Puzzle } from 'lucide-react';
import { useLanguage, useTexts } from '../texts/texts.js';
import { useListedPages } from './listed-pages.js';
import { pluginPagesQuery } from './plugin-pages.js';
import classes from './shell.module.css';

interface Props {
  /** Number of waiting conversations. */
  readonly waiting: number;
  readonly onNavigate?: () => void;
}

export function Navigation({ waiting, onNavigate }: Props) {
  const t = useTexts('shell');
  const { language } = useLanguage();
  const { data: pages = [] } = useQuery(pluginPagesQuery);
  return (
    <nav aria-label={t.navigation} className={classes.navigation}>
      {useListedPages().map(({ name, items }) => (
        <div key={name} className={classes.group}>
          <Text size="xs" c="dimmed" fw={500} className={classes.groupName} id={`group-${name}`}>
            {t.groups[name]}
          </Text>
          <ul className={classes.links} aria-labelledby={`group-${name}`}>
            {items.map((item) => (
              <li key={item.name}>
                <Link
                  to={item.to}
                  className={classes.link}
                  activeOptions={{ exact: item.to === '/', includeSearch: false }}
                  {...(onNavigate && { onClick: onNavigate })}
                >
                  <item.icon size={17} strokeWidth={1.75} aria-hidden="true" />
                  <span className={classes.linkName}>{t.links[item.name]}</span>
                  {item.name === 'inbox' && waiting > 0 && <span className={classes.count}>{waiting}</span>}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
      {pages.length > 0 && (
        <div className={classes.group}>
          <Text size="xs" c="dimmed" fw={500} className={classes.groupName} id="group-plugins">
            {t.groups.plugins}
          </Text>
          <ul className={classes.links} aria-labelledby="group-plugins">
            {pages.map(({ name, title }) => (
              <li key={name}>
                <Link
                  to="/plugins/$name"
                  params={{ name }}
                  className={classes.link}
                  {...(onNavigate && { onClick: onNavigate })}
                >
                  <Puzzle size={17} strokeWidth={1.75} aria-hidden="true" />
                  <span className={classes.linkName}>{title[language]}</span>
                </Link>
              </li>
            ))}
          </ul>
        </div>
      )}
    </nav>
  );
}
