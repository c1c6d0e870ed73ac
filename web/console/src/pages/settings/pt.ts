export const settingsPt = {
  title: 'Configurações',
};
