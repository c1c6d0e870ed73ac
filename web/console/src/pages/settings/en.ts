import type { settingsPt } from './pt.js';

export const settingsEn = {
  title: 'Settings',
} satisfies typeof settingsPt;
